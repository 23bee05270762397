/// A step that an operation takes.
public enum OperationEvent: Sendable {
  /// It was added to its queue.
  case added
  /// All that it was added after has ended.
  case dependenciesEnded
  /// Its conditions are looked at for the first time.
  case evaluatingConditions
  /// The remedy of one of its conditions starts.
  case remedyStarted(condition: String, remedy: OperationReference)
  /// No remedy is left to run.
  case remediesEnded
  /// The queue is suspended, or as wide as it may be.
  case waitingForTurn
  /// Somebody else holds one of its categories.
  case waitingForExclusion
  case executing
  /// It added another operation to its queue while it executed.
  case produced(OperationReference)
  /// It was asked to end while it executed; ending is up to its work.
  case cancelRequested
  /// Its work is over. What it held is released, and nothing follows.
  case ended(OperationOutcome)
}
