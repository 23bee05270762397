/// An observer that is notified of each event of an operation, strictly in order, and never of two events of
/// the same operation at the same time.
///
/// An observer is called synchronously, usually on the thread on which the event occurred, and never while a lock is
/// held. Tasks that wait for the operation's value continue after the observers have been notified of the end.
public protocol OperationObserver: Sendable {
  func observe(_ event: OperationEvent, of operation: OperationReference)

  /// Returns an observer for an operation that the observed operation is about to run as a child, to add or
  /// to use as a remedy. Returns `nil` if that operation is not to be observed, which is the default.
  func observer(ofChildOf parent: OperationReference) -> (any OperationObserver)?
}

extension OperationObserver {
  public func observer(ofChildOf parent: OperationReference) -> (any OperationObserver)? { nil }
}

/// An observer that calls a closure.
public struct BlockObserver: OperationObserver {
  private let block: @Sendable (OperationEvent, OperationReference) -> Void

  public init(_ block: @escaping @Sendable (_ event: OperationEvent, _ operation: OperationReference) -> Void)
  {
    self.block = block
  }

  public func observe(_ event: OperationEvent, of operation: OperationReference) { block(event, operation) }
}
