import Foundation
import TerminalTesting

/// A home with a runtime folder and pictures, in which programs ask and persons answer.
final class AskingHome: Sendable {
  let folder: TemporaryFolder
  /// The variables that direct a process to this home.
  let environment: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    for name in ["run", "bin", "Pictures"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
    let builds = URL(filePath: BuiltProgram.path).deletingLastPathComponent().path(percentEncoded: false)
    environment = BuiltProgram.environment(
      home: folder,
      [
        "XDG_RUNTIME_DIR": folder.file("run"), "TERM": "xterm-256color",
        "PATH": "\(folder.file("bin")):\(builds):/usr/local/bin:/usr/bin:/bin",
        "SWIFT_BACKTRACE": "enable=no",
      ])
  }

  /// The folder with the sockets of this home's broker.
  var sockets: String { folder.file("run/permtui") }
  var store: String { folder.file(".local/state/permtui/permissions.sqlite") }

  /// Writes the configuration of this home's user.
  func configure(_ text: String) throws { try folder.configure(text) }

  /// Writes an executable program.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let path = folder.file("bin/\(name)")
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  /// Runs `permtui` to its end, without a terminal.
  func permtui(_ arguments: String...) async throws -> ProcessRun {
    try await run([BuiltProgram.path] + arguments)
  }

  /// Runs a command line to its end, without a terminal.
  func run(_ arguments: [String], environment added: [String: String] = [:]) async throws -> ProcessRun {
    try await ProcessRun.run(
      "/usr/bin/env", arguments, environment: environment.merging(added) { $1 }, limit: .seconds(60))
  }

  /// Starts a command line on a terminal of its own.
  func terminal(_ arguments: String..., columns: Int = 100, rows: Int = 40) throws -> TerminalSession {
    try terminal(arguments, columns: columns, rows: rows)
  }

  func terminal(
    _ arguments: [String], columns: Int = 100, rows: Int = 40, patience: Duration = .seconds(20)
  ) throws -> TerminalSession {
    try TerminalSession(
      TestedProgram(path: "/usr/bin/env", arguments: arguments, environment: environment), columns: columns,
      rows: rows, patience: patience)
  }

  /// Starts `permtui` on a terminal of its own.
  func terminalPermtui(_ arguments: String..., isDumb: Bool = false) throws -> TerminalSession {
    let dumb = isDumb ? ["TERM": "dumb"] : [:]
    return try TerminalSession(
      TestedProgram(
        path: BuiltProgram.path, arguments: arguments, environment: environment.merging(dumb) { $1 }),
      columns: 100,
      rows: 40)
  }

  /// Starts a broker without a screen, which ends with the session.
  func broker() throws -> TerminalSession {
    let session = try terminalPermtui("serve")
    try session.expect("Listening")
    return session
  }

  /// Waits until this many requests wait, and returns their IDs, the longest waiting first.
  func waitingIDs(_ count: Int) async throws -> [String] { try await pending(count).map(\.id) }

  /// Waits until this many requests wait, and returns their entries from `pending`, the longest waiting first.
  func pending(_ count: Int) async throws -> [Waiting] {
    let deadline = ContinuousClock.now + .seconds(240)
    while true {
      let waiting = try await permtui("pending", "--json").output.split(separator: "\n").compactMap { line in
        try JSONDecoder().decode(Waiting.self, from: Data(line.utf8))
      }
      if waiting.count >= count { return waiting }
      guard ContinuousClock.now < deadline else { throw NotWaiting(found: waiting.count, wanted: count) }
    }
  }

  /// Answers a request by its ID and digest.
  func answer(_ id: String, _ arguments: String...) async throws -> ProcessRun {
    let digest = try await pending(1).first { $0.id.hasPrefix(id) }?.digest ?? ""
    return try await run([BuiltProgram.path, "answer", id] + arguments + ["--digest", digest])
  }

  /// A request in the output of `permtui pending --json`.
  struct Waiting: Decodable {
    struct Program: Decodable { var label: String }

    var id: String
    var digest: String
    var program: Program
    var reason: String?
    var asked: String
    var gives_up: String?

    var label: String { program.label }
    /// The number at the end of the label.
    var number: Int { Int(label.drop { !$0.isNumber }) ?? -1 }
  }

  struct NotWaiting: Error {
    var found: Int
    var wanted: Int
  }
}

extension ScreenPicture {
  /// Returns the number of rows that show a text.
  func count(of text: String) -> Int { lines.count { $0.contains(text) } }
}
