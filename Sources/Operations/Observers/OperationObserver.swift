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

/// An observer made of a closure.
public struct BlockObserver: OperationObserver {
  private let block: @Sendable (OperationEvent, OperationReference) -> Void

  public init(_ block: @escaping @Sendable (_ event: OperationEvent, _ operation: OperationReference) -> Void)
  {
    self.block = block
  }

  public func observe(_ event: OperationEvent, of operation: OperationReference) { block(event, operation) }
}

/// An observer of a whole queue. It sees each operation by itself, so it follows none into those that it brings.
struct QueueObserver: OperationObserver {
  private let observer: any OperationObserver

  init(_ observer: any OperationObserver) { self.observer = observer }

  func observe(_ event: OperationEvent, of operation: OperationReference) {
    observer.observe(event, of: operation)
  }
}
