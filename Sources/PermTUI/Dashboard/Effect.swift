import PermModel

/// A task that the dashboard leaves to the runtime, which reports back with an ``Action``.
enum Effect: Hashable, Sendable {
  /// Passes the answer to the alert's presenter.
  case respond(Alert.ID, AlertResponse)
  /// Answers several waiting requests alike, for this once.
  case answerTogether([Request], Verdict)
  /// Presents a set-aside alert again.
  case reopen(Alert.ID)
  /// Decides for a program without a request.
  case decide(Subject, capability: String, Answer)
  case forget(ForgetScope)
  case undo
  /// Adds an operation that asks for the capability in the dashboard's name.
  case askNow(capability: String)
  case runExample(capability: String)
  case setPanic(Bool)
  /// Reads everything again.
  case refresh
  /// Reads the data of a view that was opened.
  case read(ReadingWish)

  case bell
  case title(String)
  /// Leaves the dashboard; requests go on waiting.
  case quit(isInterrupt: Bool)
}

/// A set of decisions that is forgotten in one change.
enum ForgetScope: Hashable, Sendable {
  case decision(DecisionRow.ID)
  case capability(String)
  case program(Subject)
}
