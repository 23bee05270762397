package import PermModel

/// The terminal of a program, where it asks its person itself as long as no dashboard is open.
package protocol ProgramTerminal: Sendable {
  /// Blocks the thread until a broker replies, which it does at once if the answer is known.
  func waitForReply(at descriptor: Int32)

  /// Notes that the request waits, and how many dashboards can show it; again whenever that number changes.
  func waits(dashboards: Int) async

  /// Whether a question is on the terminal that still seems to count.
  var showsQuestion: Bool { get async }

  /// Asks whenever the program may.
  ///
  /// - Returns: How the request ended; `nil` if that is told elsewhere, or if the task was cancelled.
  func ask(
    _ alert: @escaping @Sendable () throws -> Alert, _ line: QuestionLine
  ) async throws -> RequestEnd?
}

/// Connects a question on a program's own terminal with the place where the request waits: a broker, or the store.
package struct QuestionLine: Sendable {
  /// Notes whether the question is asked there from now on. Returns whether it may be.
  package let note: @Sendable (_ isAsked: Bool) async throws -> Bool
  /// Passes the person's answer on. Returns `false` if something else has answered the request.
  package let answer: @Sendable (Verdict) async throws -> Bool
}
