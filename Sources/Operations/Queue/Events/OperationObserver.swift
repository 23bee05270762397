/// An observer of each step that an operation takes: strictly in order, and never two at a time for one operation.
///
/// An observer is called on the thread on which the step was taken, and never while a lock is held. Tasks that wait for
/// the operation's value continue after the last call.
public protocol OperationObserver: Sendable {
  func observe(_ event: OperationEvent, of operation: OperationReference)

  /// Makes an observer for an operation that the observed one is about to run as a child, add or use as a remedy; `nil`
  /// if that operation is not to be observed, which is the default.
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

/// An observer of a whole queue. It already sees each operation of the queue, so it makes no observers of children.
struct QueueObserver: OperationObserver {
  private let observer: any OperationObserver

  init(_ observer: any OperationObserver) { self.observer = observer }

  func observe(_ event: OperationEvent, of operation: OperationReference) {
    observer.observe(event, of: operation)
  }
}
