import Foundation
import TerminalTesting
import Waiting

/// A folder of the ordinary user, in which a test lets programs run inside and outside of walls, and a store of decisions.
final class Ground: Sendable {
  let user: OrdinaryUser
  private let folder: String
  /// The folder in which the programs work.
  let work: String
  /// The network namespace in which programs run; `nil` for that of the tests.
  private let network: String?

  /// - Parameter isAllowed: Whether programs behind walls may write in the working folder.
  init(isAllowed: Bool = true, network: String? = nil) async throws {
    self.network = network
    user = try OrdinaryUser.shared.get()
    folder = user.home + "/" + UUID().uuidString.prefix(8).lowercased()
    work = folder + "/work"
    for path in [folder, work] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      chown(path, user.number, user.group)
    }
    if isAllowed { try await decide("allow", "files:write@\(work)/") }
  }

  deinit {
    killBrokers()
    try? FileManager.default.removeItem(atPath: folder)
  }

  func file(_ name: String) -> String { work + "/" + name }

  func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

  /// Writes a file of the user, as if it had been there before.
  func write(_ text: String, to name: String) throws {
    try text.write(toFile: file(name), atomically: false, encoding: .utf8)
    chown(file(name), user.number, user.group)
  }

  /// Mounts an empty disk of a certain size, which only root can do.
  func mountSmallDisk(_ name: String, size: String) async throws {
    let options = "size=\(size),uid=\(user.number),gid=\(user.group),mode=700"
    let run = try await ProcessRun.run(
      "/usr/bin/env", ["mount", "-t", "tmpfs", "-o", options, "tmpfs", file(name)],
      environment: user.environment)
    guard run.ending == .exited(0) else { throw OrdinaryUser.Missing("mount: \(run.messages)") }
  }

  func unmount(_ name: String) async throws {
    _ = try await ProcessRun.run("/usr/bin/env", ["umount", file(name)], environment: user.environment)
  }

  // MARK: Decisions

  var store: String { folder + "/store/permissions.sqlite" }

  /// Decides as a person does: `allow`, `deny` or `forget`, at another terminal.
  func decide(_ verb: String, _ capability: String) async throws {
    let run = try await outside(user.program("permtui"), "--store", store, verb, "run", capability)
    guard run.ending == .exited(0) else {
      throw OrdinaryUser.Missing("\(verb) \(capability): \(run.messages)")
    }
  }

  /// Begins a panic, or lifts it.
  func panic(_ options: String...) async throws {
    let run = try await run([user.program("permtui"), "--store", store, "panic"] + options)
    guard run.ending == .exited(0) else { throw OrdinaryUser.Missing("panic: \(run.messages)") }
  }

  /// The programs that are known, as a document.
  func programs() async throws -> String {
    try await outside(user.program("permtui"), "--store", store, "programs", "--json").output
  }

  // MARK: Running programs

  /// Runs a command of the user without walls.
  func outside(_ command: String...) async throws -> ProcessRun { try await run(command) }

  /// Runs a command of the user behind walls.
  func inside(_ command: String...) async throws -> ProcessRun {
    try await run(wallsCommand(byShell(command)))
  }

  /// A shell that becomes the command. What was allowed before any program was seen is allowed to the first that uses it,
  /// so that the program must always be the same.
  private func byShell(_ command: [String]) -> [String] { ["sh", "-c", "exec \"$@\"", "sh"] + command }

  /// Runs a command of the user behind walls, without a shell.
  func insideItself(_ options: [String] = [], _ command: String...) async throws -> ProcessRun {
    try await run(wallsCommand(command, options))
  }

  /// Runs a command behind walls, with variables that only the warden sees.
  func inside(in variables: [String], _ command: String...) async throws -> ProcessRun {
    try await run(["env"] + variables + wallsCommand(byShell(command)))
  }

  /// Runs a command behind walls, where the warden itself may have only so many descriptors.
  func inside(withLimit limit: Int, _ command: String...) async throws -> ProcessRun {
    try await run(["prlimit", "--nofile=\(limit)"] + wallsCommand(byShell(command)))
  }

  /// Runs a line of a shell behind walls.
  func inside(shell line: String) async throws -> ProcessRun {
    try await run(wallsCommand(["sh", "-c", line]))
  }

  private func wallsCommand(_ command: [String], _ options: [String] = []) -> [String] {
    let walls = [user.program("permtui-run"), "--alone", "--fuse", user.fuse, "--store", store]
    return walls + ["--as", "run"] + options + ["--"] + command
  }

  func run(_ command: [String]) async throws -> ProcessRun {
    let program = user.command(command, in: work, network: network)
    return try await ProcessRun.run(
      program.path, program.arguments, environment: program.environment, limit: .seconds(60))
  }

  /// Starts a line of a shell behind walls, and returns without waiting for its end.
  func startInside(options: [String] = [], shell line: String) throws -> Running {
    try start(wallsCommand(["sh", "-c", line], options))
  }

  func startInside(withLimit limit: Int, shell line: String) throws -> Running {
    try start(["prlimit", "--nofile=\(limit)"] + wallsCommand(["sh", "-c", line]))
  }

  func startOutside(_ command: String...) throws -> Running { try start(command) }

  func start(_ command: [String]) throws -> Running {
    try Running(
      user.command(command, in: work, network: network), printingTo: folder + "/" + UUID().uuidString)
  }
}

/// A program that runs. It is killed with the last reference to it.
final class Running: @unchecked Sendable {
  private let running = Process()
  private let files: (output: String, messages: String)

  init(_ program: TestedProgram, printingTo file: String) throws {
    files = (file + ".output", file + ".messages")
    running.executableURL = URL(filePath: program.path)
    running.arguments = program.arguments
    running.environment = program.environment
    running.standardInput = FileHandle.nullDevice
    running.standardOutput = try Self.handle(files.output)
    running.standardError = try Self.handle(files.messages)
    try running.run()
  }

  private static func handle(_ file: String) throws -> FileHandle {
    _ = FileManager.default.createFile(atPath: file, contents: nil)
    return try FileHandle(forWritingTo: URL(filePath: file))
  }

  deinit { if running.isRunning { kill(running.processIdentifier, SIGKILL) } }

  var isRunning: Bool { running.isRunning }

  var process: pid_t { running.processIdentifier }
  /// The output so far. The warden copies it, so a line can arrive after a question that the program asked later.
  var output: String { (try? String(contentsOfFile: files.output, encoding: .utf8)) ?? "" }
  var messages: String { (try? String(contentsOfFile: files.messages, encoding: .utf8)) ?? "" }

  /// Waits until the program has printed a text.
  func printed(_ text: String) async throws { try await untilThere(text) { output } }

  /// Waits until a person has been asked a question.
  func asked(_ question: String) async throws { try await until { messages.contains("asks \(question)\n") } }

  /// The thread in whose name the last question was asked.
  var asker: pid_t? {
    let line = messages.split(separator: "\n").last { $0.contains(" asks ") }
    return line?.split(separator: " ").dropFirst(2).first.flatMap { pid_t($0) }
  }

  /// Waits until the warden has said something.
  func said(_ text: String) async throws { try await untilThere(text) { messages } }

  /// Waits for a text, as long as the process runs.
  private func untilThere(_ text: String, in read: () -> String) async throws {
    try await until {
      let isRunning = running.isRunning
      if read().contains(text) { return true }
      guard isRunning else { throw OrdinaryUser.Missing("it has ended without '\(text)': \(messages)") }
      return false
    }
  }

  func send(_ signal: Int32) { kill(process, signal) }

  /// Waits for the end. Returns the exit status, or 128 and the number of a signal.
  func end() async throws -> Int32 {
    try await until { !running.isRunning }
    return running.terminationStatus + (running.terminationReason == .uncaughtSignal ? 128 : 0)
  }
}

/// The processes whose command lines contain a text.
func processes(with argument: String) -> [String] {
  ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { process in
    guard let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8) else {
      return false
    }
    return line.contains(argument)
  }
}
