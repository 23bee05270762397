import ArgumentParser

/// The exit status of the program. Scripts rely on these numbers; they do not change.
enum ExitStatus: Int32, Sendable, CaseIterable {
  /// The request was allowed, or the command succeeded.
  case done = 0
  /// The request was denied, or no match was found.
  case denied = 1
  case failed = 2
  /// No answer: the request timed out, was dismissed or limited, or nobody was there. Trying again may help.
  case noAnswer = 3
  /// Not available on this machine: trying again does not help.
  case unavailable = 4
  /// The command line was wrong.
  case usage = 64
  /// Interrupted by ^C.
  case interrupted = 130

  var exitCode: ExitCode { ExitCode(rawValue) }
}
