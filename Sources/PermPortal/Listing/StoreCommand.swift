import ArgumentParser
import FoundationEssentials
import Machine
import PermModel

/// Commands on the desktop's permission store.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "List and change what the desktop has stored about apps.",
    discussion: """
      The desktop keeps what apps may do in a store of its own, which 'flatpak permissions' shows, too. A row has a table, \
      a thing, an app and its permissions.

      Examples:
        permtui-portal store list
        permtui-portal store set devices camera org.example.Cam no
        permtui-portal store delete devices camera org.example.Cam
      """,
    subcommands: [List.self, Set.self, Delete.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List all rows.")

    @Flag(help: "Print each row as a line of JSON.") var json = false
    @Flag(help: "Go on, and print each row that changes.") var watch = false

    func run() throws {
      let bus = try SessionBus.open()
      let listing = DesktopListing(DesktopStore(bus: bus)) { entries in print(entries) }
      if watch { try listing.follow() }
      listing.read(PermissionTables(Environment.variables).names)
      try SessionBus.turn(bus, outlet: StandardStream.output) { !watch && listing.isComplete }
      if let failure = listing.failure { throw PortalEnd(reason: "the store cannot be read: \(failure)") }
    }

    private func print(_ entries: [DesktopListing.Entry]) {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let lines = entries.map { (json ? $0.json(encoder) : $0.words) + "\n" }.joined()
      WholeWrite.write(Array(lines.utf8), to: StandardStream.output)
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Set the permissions of an app.")

    @OptionGroup var named: NamedRow
    @Argument(help: "The permissions, for example yes, no or ask.") var permissions: [String]

    func run() throws {
      try named.change { desktop, row, done in desktop.set(row, to: permissions, done) }
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a row, so that the app has to ask again.")

    @OptionGroup var named: NamedRow

    func run() throws { try named.change { desktop, row, done in desktop.delete(row, done) } }
  }
}

/// The row that a command names.
struct NamedRow: ParsableArguments {
  @Argument(help: "The table, for example devices.") var table: String
  @Argument(help: "The thing, for example camera.") var id: String
  @Argument(help: "The app, for example org.example.Cam.") var app: String

  func validate() throws {
    guard PermissionRow.isTable(table) else {
      throw ValidationError("A table's name has 1 to 64 of a-z, 0-9 and -.")
    }
    guard table != Self.foreign else {
      throw ValidationError(
        "The table \(Self.foreign) is the document portal's own, and is never changed here.")
    }
    guard app.utf8.count <= PermissionRow.longestApp else {
      throw ValidationError("An app's name has at most \(PermissionRow.longestApp) bytes.")
    }
  }

  private static let foreign = "documents"

  /// Changes the row, and waits until the desktop's service has done so.
  func change(_ change: (DesktopStore, PermissionRow, @escaping DesktopStore.Reply<Void>) -> Void) throws {
    let bus = try SessionBus.open()
    let ending = Ending()
    change(DesktopStore(bus: bus), PermissionRow(table: table, id: id, app: app)) { ending.result = $0 }
    try SessionBus.turn(bus) { ending.result != nil }
    if case .failure(let error)? = ending.result { throw PortalEnd(reason: "nothing was changed: \(error)") }
  }

  private final class Ending {
    var result: Result<Void, BusError>?
  }
}

extension DesktopListing.Entry {
  fileprivate var words: String {
    let value = permissions.map { $0.joined(separator: " ") } ?? "gone"
    return [row.table, row.id, row.app, value].map { VisibleText.escaped($0) }.joined(separator: "\t")
  }

  /// The fields of a line of JSON.
  private struct Fields: Encodable {
    var table: String
    var id: String
    var app: String
    var permissions: [String]?
  }

  fileprivate func json(_ encoder: JSONEncoder) -> String {
    let fields = Fields(table: row.table, id: row.id, app: row.app, permissions: permissions)
    return (try? encoder.encode(fields)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
