/// An observer of operations. It is notified of the events of each operation strictly in order, one at a time.
///
/// An observer is called synchronously, usually on the thread on which the event occurred, and never while a lock is
/// held. Tasks that wait for an operation's value continue only after the observers know that the operation has ended.
public protocol OperationObserver: Sendable {
  func observe(_ event: OperationEvent, of operation: OperationReference)

  /// Returns an observer for an operation that `parent` adds or runs, for instance a child or a remedy. The default
  /// implementation returns `nil`, so that operation is not observed.
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
