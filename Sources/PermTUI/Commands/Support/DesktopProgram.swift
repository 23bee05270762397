import FoundationEssentials
import Machine

/// The program `permtui-portal`, which reads and changes the desktop's permission store for the dashboard. So the library
/// for the bus, and what other programs write to it, stay out of the process that holds the answers.
struct DesktopProgram: Sendable {
  static let name = "permtui-portal"

  let path: String

  /// Finds the program beside this one; `nil` if it is not installed, or if the session has no bus.
  static func find(_ environment: [String: String]) -> DesktopProgram? {
    let path = (Paths.target(ofLink: "/proc/self/exe") ?? "").folderOfPath + "/" + name
    let socket = environment["XDG_RUNTIME_DIR"].map { $0 + "/bus" }
    let hasBus =
      environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false
      || socket.map { FileStatus($0) != nil } == true
    return hasBus && FileStatus(path)?.kind == .file ? DesktopProgram(path: path) : nil
  }

  /// A line that the program prints: a row as it is now; without permissions it is gone.
  private struct Line: Decodable {
    var table: String
    var id: String
    var app: String
    var permissions: [String]?
  }
}

// MARK: - Following

extension DesktopProgram {
  /// Reports all rows, and then each change, until the task is cancelled or the session's bus is gone.
  func follow(_ report: @escaping @Sendable ([DesktopEntries.News]) -> Void) async {
    _ = await run(["--watch"]) { report(Self.news($0)) }
  }

  /// Returns all rows, each as a line of JSON; `nil` if they cannot be read.
  func list() async -> String? {
    let lines = Lock<[UInt8]>([])
    let status = await run([]) { part in lines.withLock { $0 += part + [UInt8(ascii: "\n")] } }
    return status == 0 ? String(decoding: lines.withLock { $0 }, as: UTF8.self) : nil
  }

  /// Lists the rows until the end or until the task is cancelled, and returns the program's status.
  private func run(_ options: [String], _ report: @escaping @Sendable (ArraySlice<UInt8>) -> Void) async
    -> Int32?
  {
    await Program.follow([path, "store", "list", "--json"] + options, report)
  }

  /// Parses lines. One that is not understood is passed over.
  static func news(_ lines: some Collection<UInt8>) -> [DesktopEntries.News] {
    let decoder = JSONDecoder()
    return Array(lines).split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let line = try? decoder.decode(Line.self, from: Data(line)) else { return nil }
      let id = DesktopEntries.ID(table: line.table, thing: line.id, app: line.app)
      return DesktopEntries.News(id: id, permissions: line.permissions)
    }
  }
}

// MARK: - Changing

extension DesktopProgram {
  /// The longest time for a change, in milliseconds.
  private static let patience: Int32 = 10_000

  /// Makes a change. Returns whether the desktop's service has made it.
  func make(_ change: DesktopChange) async -> Bool {
    let verb = change.after == nil ? "delete" : "set"
    let row = [change.id.table, change.id.thing, change.id.app]
    let run = await Program.run(
      [path, "store", verb, "--"] + row + (change.after ?? []), within: Self.patience)
    return run?.status == 0
  }
}
