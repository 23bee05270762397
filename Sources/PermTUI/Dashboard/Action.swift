import Machine
import PermBroker
import PermModel

/// An event that the dashboard handles.
enum Action: Sendable {
  /// Keys that arrived together, in the order in which they were pressed. Other input can have come with them.
  case keys([Key], amidOthers: Bool = false)
  /// The terminal reported that a key is being held down.
  case repeated
  /// The whole text of a bracketed paste.
  case paste(String)
  /// Input that is not a key, for example a reply of the terminal or an unknown sequence.
  case noise
  /// The terminal window has regained the focus.
  case focused
  /// The terminal window has lost the focus. Until it has it again, no key counts.
  case unfocused
  /// Input after a paste that has no end. It could still belong to the paste.
  case stalled
  /// The screen now has this size. Also sent when the program gets the terminal back after being stopped.
  case resized(Size)
  /// The wheel was turned, or the mouse was clicked. It never answers.
  case mouse(MouseEvent)
  /// The pager has ended, with the reason why nothing could be read, in words.
  case hasRead(problem: String?)
  /// The terminal showed the last frame late, so the keys typed in the meantime were not meant for that frame.
  case heldUp
  /// The deadline `nextDeadline` has passed.
  case tick
  case inputEnded

  /// The data from outside the dashboard has changed.
  case changed(DashboardData)
  /// Decisions were changed, in this dashboard or elsewhere.
  case noticed([DecisionNews])

  /// The alerts at this dashboard have changed.
  case pictured(DashboardPicture)
  /// The response to an alert could not be sent, so the alert comes up again.
  case unanswered(Alert.ID)
  /// The program has withdrawn the alert's request, because its user answered in the program itself.
  case answeredInAgent(Alert.ID)

  /// A request was answered at another place.
  case answeredElsewhere(AnswerElsewhere)

  /// Waiting requests that the person picked, as an answer to ``Effect/pick(_:_:)``.
  case picked([PendingRequest], Verdict?)
  /// The effect of undoing or redoing the next change, as an answer to ``Effect/find(_:)``.
  case found(HistoryStep, UndoPreview)
  /// A change was undone or redone in this dashboard.
  case took(HistoryStep, DecisionChange)
  /// Changes that were made together were undone or redone in this dashboard, in this order.
  case tookAll(HistoryStep, [DecisionChange])
  /// A row of the desktop's permission store was changed in this dashboard, as the person wanted or by a step.
  case changedDesktop(DesktopChange, HistoryStep?)
  /// Rows of the desktop's permission store have changed.
  case desktop([DesktopEntries.News])
  /// Denials that were made in this dashboard have taken back allows.
  case tookBack(DecisionResult)
  /// The person's settings have changed.
  case configured(Preferences)

  case exampleEnded(capability: String, ExampleOutcome)
  /// An effect has had a result that the person must see. The message stays on the screen until then, whatever else is
  /// reported meanwhile.
  case warned(String)
  /// An effect has produced a report.
  case reported(Report)
  /// The next event is known. The status line announces it as long as nothing waits, and again after every report. `nil`
  /// if there is nothing to announce any more.
  case announced(String?)
}

enum ExampleOutcome: Hashable, Sendable {
  /// The lines that the example found. They are untrusted text from outside, for example file names.
  case done([String])
  case failed(String)
}

/// A message for the status line.
struct Report: Hashable, Sendable {
  var text: String
  var isError = false
  /// Whether the undo command would take back the reported change.
  var isUndoable = false
  /// Whether the redo command would make the reported change again.
  var isRedoable = false
  /// The changes that the report is about, in the order in which they were made, if it is about several.
  var changes: [DecisionChange.ID] = []

  /// Returns the changes that the report is about, if the step is possible for them.
  func changes(for step: HistoryStep) -> [DecisionChange.ID] {
    (step == .undo ? isUndoable : isRedoable) ? changes : []
  }
}

/// The time of an action on both of the clocks that the dashboard needs.
///
/// The monotonic clock decides when an alert is armed, so setting the wall clock can neither arm nor disarm
/// an alert. Countdowns and displayed times come from the wall clock.
struct EventTime: Hashable, Sendable {
  /// Milliseconds on a clock that never goes backwards.
  var milliseconds: Int64
  var wall: Timestamp

  static func now() -> EventTime {
    EventTime(milliseconds: SystemClock.monotonic.milliseconds, wall: .now)
  }
}
