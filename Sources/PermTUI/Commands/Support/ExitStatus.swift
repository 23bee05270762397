import ArgumentParser

/// What the program tells the shell when it ends. Scripts build on these numbers; they do not change.
enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Allowed, or done.
  case done = 0
  /// Denied, or nothing matched.
  case denied = 1
  case failed = 2
  /// Nobody answered: timed out, dismissed, limited, nobody there. Trying again may help.
  case noAnswer = 3
  /// Not available on this machine: trying again does not help.
  case unavailable = 4
  /// The command line was wrong.
  case usage = 64
  /// Interrupted by ^C.
  case interrupted = 130

  var exitCode: ExitCode { ExitCode(rawValue) }
}
