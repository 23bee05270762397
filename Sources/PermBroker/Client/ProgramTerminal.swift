package import PermModel

/// The terminal of a program. While no dashboard is open, the program itself asks its user there.
package protocol ProgramTerminal: Sendable {
  /// Blocks the thread until a broker replies. If a decision already answers the request, the reply comes immediately.
  ///
  /// - Parameter limit: The time until which the program wants to wait. A broker that is not stopped gets
  ///   ``BrokerConnection/patience`` more.
  /// - Returns: Whether the broker replies by then.
  func waitForReply(at broker: BrokerConnection, until limit: ContinuousClock.Instant?) -> Bool

  /// Tells the person something about the broker.
  func tell(_ words: String)

  /// Notes that the request is waiting, and how many dashboards can show it. Called again whenever the number
  /// of dashboards changes.
  func waits(dashboards: Int) async

  /// Whether the terminal shows a question that can still be answered, as far as this process knows.
  var showsQuestion: Bool { get async }

  /// Asks the user whenever the program is allowed to ask on this terminal.
  ///
  /// - Returns: The outcome of the request; `nil` if the task was cancelled, or if the outcome comes from the broker or
  ///   the store instead.
  func ask(
    _ alert: @escaping @Sendable () throws -> Alert, _ line: QuestionLine
  ) async throws -> RequestEnd?
}

/// The link between a question on a program's own terminal and the request, which waits at a broker or in the store.
package struct QuestionLine: Sendable {
  /// Notes that the terminal begins or stops asking the question. Returns whether the program is allowed to ask there.
  package let note: @Sendable (_ isAsked: Bool) async throws -> Bool
  /// Passes on the person's answer. Returns `false` if the answer is not accepted, for example because the request has
  /// been settled in another way.
  package let answer: @Sendable (Verdict) async throws -> Bool
}
