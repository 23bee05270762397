/// An observer made of a closure.
public struct BlockObserver: OperationObserver {
  private let block: @Sendable (OperationEvent, OperationReference) -> Void

  public init(_ block: @escaping @Sendable (_ event: OperationEvent, _ operation: OperationReference) -> Void)
  {
    self.block = block
  }

  public func observe(_ event: OperationEvent, of operation: OperationReference) { block(event, operation) }
}
