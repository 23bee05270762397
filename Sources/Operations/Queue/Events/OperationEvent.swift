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
  /// The last remedy has ended.
  case remediesEnded
  /// The operation waits because the queue is suspended or all of the queue's places are taken.
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
