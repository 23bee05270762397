package import PermModel

/// The terminal of a program, on which it asks its person itself as long as no dashboard is open.
package protocol ProgramTerminal: Sendable {
  /// Blocks the thread until a broker replies, which happens at once if the answer is known.
  func waitForReply(at descriptor: Int32)

  /// Notes that the request is waiting, and how many dashboards can show it; called again whenever that number changes.
  func waits(dashboards: Int) async

  /// Whether the terminal shows a question that still seems to count.
  var showsQuestion: Bool { get async }

  /// Asks whenever the program is allowed to.
  ///
  /// - Returns: The end of the request; `nil` if it is reported elsewhere, or if the task was cancelled.
  func ask(
    _ alert: @escaping @Sendable () throws -> Alert, _ line: QuestionLine
  ) async throws -> RequestEnd?
}

/// Connects a question on a program's own terminal with the request, which waits at a broker or in the store.
package struct QuestionLine: Sendable {
  /// Notes whether the question is being asked there from now on. Returns whether it may be.
  package let note: @Sendable (_ isAsked: Bool) async throws -> Bool
  /// Passes on the person's answer. Returns `false` if the request has been answered by other means.
  package let answer: @Sendable (Verdict) async throws -> Bool
}
