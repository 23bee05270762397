import Foundation

/// A program to run in a test, and its whole environment, without any of the machine's own settings.
public struct TestedProgram: Sendable {
  public var path: String
  public var arguments: [String]
  public var environment: [String: String]

  public init(path: String, arguments: [String] = [], environment: [String: String] = [:]) {
    self.path = path
    self.arguments = arguments
    self.environment = Self.pinned.merging(environment) { $1 }
  }

  /// The `permtui` that was built with the tests.
  public static func permtui(_ arguments: [String] = [], environment: [String: String] = [:]) -> TestedProgram
  {
    TestedProgram(path: BuiltProgram.path, arguments: arguments, environment: environment)
  }

  /// The program as a job of a shell that notices when it is stopped: the shell reports it, waits for Enter, and
  /// continues it; at the end it prints the exit code.
  public var asJob: TestedProgram {
    let script = """
      "$@"
      echo "stopped with $?"
      read -r line
      fg >/dev/null
      echo "ended with $?"
      """
    return TestedProgram(
      path: "/bin/bash", arguments: ["--norc", "-m", "-c", script, "job", path] + arguments,
      environment: environment)
  }

  private static var pinned: [String: String] {
    var result = [
      "LANG": "C.UTF-8", "TERM": "xterm-256color", "TZ": "UTC", "HOME": "/nonexistent",
      // A crash must end the process, and not open a debugger.
      "SWIFT_BACKTRACE": "enable=no",
    ]
    let inherited = ProcessInfo.processInfo.environment
    for name in ["PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE"] {
      result[name] = inherited[name]
    }
    return result
  }
}
