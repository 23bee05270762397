/// A step that an operation takes.
public enum OperationEvent: Sendable {
  /// It was added to its queue.
  case added
  /// All its dependencies have ended.
  case dependenciesEnded
  /// Its conditions are looked at for the first time.
  case evaluatingConditions
  /// The remedy of one of its conditions starts.
  case remedyStarted(condition: String, remedy: OperationReference)
  /// No remedy is left to run.
  case remediesEnded
  /// It waits because the queue is suspended or at its maximum width.
  case waitingForTurn
  /// Another operation holds one of its categories.
  case waitingForExclusion
  case executing
  /// It added another operation to its queue while it executed.
  case produced(OperationReference)
  /// It was asked to end while it executed; when it ends is up to its work.
  case cancelRequested
  /// It has ended. Everything that it held is released, and no event follows.
  case ended(OperationOutcome)
}
