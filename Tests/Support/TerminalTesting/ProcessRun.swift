import Foundation

/// The output of a program that ran without a terminal, and the way in which it ended.
public struct ProcessRun: Sendable {
  public let output: String
  public let messages: String
  public let ending: Ending

  /// The way in which a process ended.
  public enum Ending: Hashable, Sendable {
    case exited(Int32)
    /// Ended by this signal.
    case killed(Int32)
  }

  /// Runs a program to its end.
  ///
  /// It gets only the given environment, so that no setting of the machine affects a test, and no input. Its output
  /// goes to files, so it never waits for a reader.
  ///
  /// - Parameter limit: The time after which the process is killed, which shows as its ending.
  /// - Throws: ``SystemError`` if it cannot be started.
  public static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:],
    limit: Duration = .seconds(30)
  ) async throws -> ProcessRun {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let output = folder.file("output")
    let messages = folder.file("messages")
    let program = TestedProgram(path: program, arguments: arguments, environment: environment)
    let ending = try await onThread {
      try end(of: ChildProcess(program, output: output, messages: messages), limit: limit)
    }
    return ProcessRun(
      output: try String(contentsOfFile: output, encoding: .utf8),
      messages: try String(contentsOfFile: messages, encoding: .utf8), ending: ending)
  }

  private static func end(of child: ChildProcess, limit: Duration) -> Ending {
    var polled = pollfd(fd: child.descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&polled, 1, Int32(limit / .milliseconds(1))) == 0 { kill(child.identifier, SIGKILL) }
    switch child.reap() {
    case .exit(let code): return .exited(code)
    case .signal(let number): return .killed(number)
    }
  }

  /// Runs blocking code on a thread of its own, so that it keeps no task from running.
  private static func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }
}
