import PermModel

/// What the dashboard wants done. A value: the runtime does it, and reports by an ``Action``.
enum Effect: Hashable, Sendable {
  /// Gives the answer to whoever presented the alert.
  case respond(Alert.ID, AlertResponse)
  /// Gives one answer, for this once, to each of several requests that wait.
  case answerTogether([Request], Verdict)
  /// Lets an alert that was set aside ask again.
  case reopen(Alert.ID)
  /// Decides for a program, without being asked.
  case decide(Subject, capability: String, Answer)
  case forget(ForgetScope)
  case undo
  /// Adds an operation that asks for the capability in the name of the dashboard.
  case askNow(capability: String)
  case runExample(capability: String)
  case setPanic(Bool)
  /// Reads everything again.
  case refresh
  /// Reads what a view needs that was opened.
  case read(ReadingWish)

  case bell
  /// The terminal's title.
  case title(String)
  /// Leaves the dashboard; what waits goes on waiting.
  case quit(isInterrupt: Bool)
}

/// What is forgotten in one change.
enum ForgetScope: Hashable, Sendable {
  case decision(DecisionRow.ID)
  case capability(String)
  case program(Subject)
}
