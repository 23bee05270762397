/// The rows of the desktop's permission store, read through its service and followed.
final class DesktopListing {
  private let desktop: DesktopStore
  private let changed: ([Entry]) -> Void
  private var rows: [PermissionRow: [String]] = [:]
  /// The number of replies that are still to come.
  private var expected = 0

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
    try desktop.watch { [weak self] table, id in
      if PermissionRow.isTable(table) { self?.read(table, id) }
    }
  }

  private func read(_ table: String, _ id: String) {
    expect({ [desktop] in desktop.apps(in: table, $0, $1) }, id) { [weak self] apps in
      self?.take(table, id, apps)
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
    }
  }

  private func take(_ table: String, _ id: String, _ apps: [String: [String]]) {
    var entries: [Entry] = []
    for (row, _) in rows where row.table == table && row.id == id && apps[row.app] == nil {
      rows[row] = nil
      entries.append(Entry(row: row, permissions: nil))
    }
    for (app, permissions) in apps {
      let row = PermissionRow(table: table, id: id, app: app)
      guard rows.updateValue(permissions, forKey: row) != permissions else { continue }
      entries.append(Entry(row: row, permissions: permissions))
    }
    changed(entries.sorted { ($0.row.table, $0.row.id, $0.row.app) < ($1.row.table, $1.row.id, $1.row.app) })
  }
}
