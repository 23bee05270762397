/// An event in the life of an operation.
public enum OperationEvent: Sendable {
  /// The operation was added to its queue.
  case added
  /// All of the operation's dependencies have ended.
  case dependenciesEnded
  /// The operation's conditions are being evaluated for the first time.
  case evaluatingConditions
  /// The remedy of one of the operation's conditions starts.
  case remedyStarted(condition: String, remedy: OperationReference)
  /// No remedy is left to run.
  case remediesEnded
  /// The operation waits because the queue is suspended or at its maximum width.
  case waitingForTurn
  /// The operation waits for a category, because another operation holds the category or is ahead in line.
  case waitingForExclusion
  case executing
  /// The operation added another operation to its queue while executing.
  case produced(OperationReference)
  /// The operation was asked to end while executing. Its work decides when to end.
  case cancelRequested
  /// The operation has ended. Everything that it held has been released, and no further event follows.
  case ended(OperationOutcome)
}
