import PermModel

/// Everything that can happen to the dashboard.
enum Action: Sendable {
  /// Keys that were read together, in order.
  case keys([Key])
  /// A key is held down, as the terminal says of its own accord.
  case repeated
  /// A bracketed paste, whole.
  case paste(String)
  /// Input that is no key: a reply of the terminal, an unknown sequence.
  case noise
  /// The window has the focus again.
  case focused
  /// The screen has this size; also said when it is ours again after a stop.
  case resized(Size)
  /// What is shown came late: the terminal had kept it waiting, and what was typed meanwhile was not typed at it.
  case heldUp
  /// The moment of `nextDeadline` has come.
  case tick
  /// The terminal is gone.
  case inputEnded

  /// Something that is shown has changed.
  case changed(DashboardData)
  /// Somebody, here or elsewhere, changed what is decided.
  case noticed([DecisionNews])

  /// An operation wants this alert to be shown.
  case presented(Alert)
  /// Whoever asked does not wait any more, or the alert was answered elsewhere.
  case withdrawn(Alert.ID)

  case exampleEnded(capability: String, ExampleOutcome)
  /// An effect has come to its end and has something to say.
  case reported(Report)
}

/// What became of the example of a capability.
enum ExampleOutcome: Hashable, Sendable {
  /// Lines that it found. Foreign text: file names and the like.
  case done([String])
  case failed(String)
}

/// Something to say in the status line.
struct Report: Hashable, Sendable {
  var text: String
  var isError = false
  /// Whether undo would take back what is reported.
  var isUndoable = false
}
