/// The rows of the desktop's permission store, read through its service and followed.
final class DesktopListing {
  private let desktop: DesktopStore
  private let changed: ([Entry]) -> Void
  private var apps: [Thing: [String: [String]]] = [:]
  /// The number of replies that are still to come.
  private var expected = 0
  /// The changed rows, which are reported together once all replies are here.
  private var entries: [Entry] = []

  private struct Thing: Hashable {
    var table: String
    var id: String
  }

  /// A row as it is now; without permissions it is gone.
  struct Entry: Hashable, Sendable {
    var row: PermissionRow
    var permissions: [String]?
  }

  /// The reason why the rows could not all be read.
  private(set) var failure: BusError?
  /// Whether all rows were read.
  var isComplete: Bool { expected == 0 }

  /// - Parameter changed: Called with the rows that have changed since they were reported last.
  init(_ desktop: DesktopStore, _ changed: @escaping ([Entry]) -> Void) {
    (self.desktop, self.changed) = (desktop, changed)
  }

  /// Reads all rows of these tables.
  func read(_ tables: [String]) {
    for table in tables {
      expect(desktop.ids, table) { [weak self] ids in
        for id in ids { self?.read(table, id) }
      }
    }
  }

  /// Reports changes from now on.
  func follow() throws(BusError) {
    try desktop.watch { [weak self] change in
      guard let self, PermissionRow.isTable(change.table) else { return }
      do throws(BusError) {
        take(Thing(table: change.table, id: change.id), try change.apps())
      } catch {
        failure = error
      }
    }
  }

  private func read(_ table: String, _ id: String) {
    expect({ [desktop] in desktop.apps(in: table, $0, $1) }, id) { [weak self] apps in
      self?.take(Thing(table: table, id: id), apps)
    }
  }

  private func expect<Value>(
    _ ask: (String, @escaping DesktopStore.Reply<Value>) -> Void, _ text: String,
    _ take: @escaping (Value) -> Void
  ) {
    expected += 1
    ask(text) { [weak self] result in
      switch result {
      case .success(let value): take(value)
      case .failure(let error): self?.failure = error
      }
      self?.expected -= 1
      self?.report()
    }
  }

  private func take(_ thing: Thing, _ new: [String: [String]]) {
    let old = apps.updateValue(new, forKey: thing) ?? [:]
    let gone = old.keys.filter { new[$0] == nil }.map { entry(thing, $0, nil) }
    let other = new.filter { old[$0.key] != $0.value }.map { entry(thing, $0.key, $0.value) }
    entries += (gone + other).sorted { $0.row.app < $1.row.app }
    report()
  }

  /// Reports what has changed. At the beginning that is all rows at once: a reader that sorts them does so once.
  private func report() {
    guard isComplete, !entries.isEmpty else { return }
    defer { entries = [] }
    changed(entries)
  }

  private func entry(_ thing: Thing, _ app: String, _ permissions: [String]?) -> Entry {
    Entry(row: PermissionRow(table: thing.table, id: thing.id, app: app), permissions: permissions)
  }
}
