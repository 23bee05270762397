import PermBroker
import PermModel

/// A task that the dashboard passes to the runtime. The runtime reports back with an ``Action``.
enum Effect: Hashable, Sendable {
  /// Sends the person's response to an alert, with the digest of the alert that the screen showed.
  case respond(Alert.ID, AlertResponse, AlertDigest)
  /// Reads requests in full: a single one in order to open it or, with a verdict, all of them in order to give them
  /// the same answer.
  case pick([Alert.ID], Verdict?)
  /// Answers exactly one request, as the alert with this digest showed it.
  case answer(Alert.ID, Answer, AlertDigest)
  /// Gives several waiting requests the same answer. The answer applies to no other request.
  case answerTogether([PendingRequest], Verdict, LifetimeChoice)
  /// Asks for a set-aside alert to be shown again.
  case reopen(Alert.ID)
  /// Makes a decision for a program that has not asked for one.
  case decide(Subject, capability: String, Answer)
  case forget(ForgetScope)
  /// Forgets those of these allows that no program has used since the moment.
  case forgetUnused([DecisionRow.ID], since: Timestamp)
  /// Changes a row of the desktop's permission store: as the person wants, or to undo or redo such a change.
  case changeDesktop(DesktopChange, HistoryStep?)
  /// Looks for the change of decisions to undo or redo next.
  case find(HistoryStep)
  /// Takes back what the allow of this request kept, because the person denied it just after that.
  case takeBack(Request.ID)
  /// Undoes or redoes a change.
  case take(HistoryStep, DecisionChange.ID)
  /// Undoes or redoes several changes that were made together.
  case takeAll(HistoryStep, [DecisionChange.ID])
  /// Queues an operation that asks for the capability on the dashboard's behalf.
  case askNow(capability: String)
  case runExample(capability: String)
  case setPanic(Bool)
  /// Tells the broker whether alerts are kept from coming up by themselves.
  case hold(Bool)
  /// Reads all data again.
  case refresh
  /// Reads the data of a view that was opened.
  case read(StoreNeeds)

  case bell
  /// Asks the terminal to put a text on its clipboard.
  case copy(String)
  /// Shows a text in the person's pager.
  case show(String)
  case title(String)
  /// Leaves the dashboard. Requests keep waiting.
  case quit(isInterrupt: Bool)
}

/// A set of decisions that is forgotten in one change.
enum ForgetScope: Hashable, Sendable {
  case decision(DecisionRow.ID)
  case capability(String)
  case program(Subject)
}
