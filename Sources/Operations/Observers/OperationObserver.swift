/// Is told each step that an operation takes: strictly in order, never two at a time for one operation.
///
/// It is called on whichever thread the step was taken, never while a lock is held. Who waits for the operation's
/// value goes on after the last call.
public protocol OperationObserver: Sendable {
  func observe(_ event: OperationEvent, of operation: OperationReference)

  /// Makes the observer of an operation that the observed one is about to run, add or bring as a remedy; `nil`,
  /// unless given, where it is not followed.
  func observer(ofChildOf parent: OperationReference) -> (any OperationObserver)?
}

extension OperationObserver {
  public func observer(ofChildOf parent: OperationReference) -> (any OperationObserver)? { nil }
}
