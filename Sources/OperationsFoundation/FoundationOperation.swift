public import Foundation
public import Operations

/// An operation of this package that runs a Foundation operation. The output is the ended Foundation operation.
///
/// Cancelling either operation cancels the other: if the Foundation operation is cancelled, this operation ends as
/// cancelled. This operation also waits for the Foundation operation's `dependencies`, and does not
/// use that operation's `completionBlock`.
///
/// If the Foundation operation is already executing or has finished, this operation only waits for it. Do not pass an
/// operation that is still waiting in a Foundation queue: this operation would add it to a second queue, and Foundation
/// terminates the program if an operation is added twice.
public struct FoundationOperation<Wrapped: Foundation.Operation>: Operations.Operation {
  private let operation: Wrapped

  public init(_ operation: Wrapped) { self.operation = operation }

  public var name: String { operation.name ?? String(describing: type(of: operation)) }

  /// - Throws: `CancellationError` if this operation or the wrapped operation was cancelled.
  public func execute(_ context: OperationContext) async throws -> Wrapped {
    await withTaskCancellationHandler {
      await run()
    } onCancel: {
      operation.cancel()
    }
    if operation.isCancelled { throw CancellationError() }
    return operation
  }

  /// Runs the Foundation operation in a queue of its own. On Linux, Foundation's queues lose operations that are added
  /// behind waiting ones. A second operation in the new queue reports the end, so the Foundation operation's completion
  /// block remains free for other uses.
  private func run() async {
    let queue = Foundation.OperationQueue()
    await withCheckedContinuation { continuation in
      let end = Foundation.BlockOperation { continuation.resume() }
      end.addDependency(operation)
      let isStarted = operation.isExecuting || operation.isFinished
      queue.addOperations(isStarted ? [end] : [operation, end], waitUntilFinished: false)
    }
  }
}

extension ComposedOperation {
  /// Wraps a Foundation operation.
  ///
  /// ```swift
  /// let export = Foundation.BlockOperation { print("exporting") }
  /// let handle = queue.add(ComposedOperation(export, conditions: [MutuallyExclusive("disc")]))
  /// ```
  ///
  /// - Parameter name: The name of the composed operation. By default, this is the Foundation operation's name or, if
  ///   it has none, the name of its type.
  public init<Kind: Foundation.Operation>(
    _ operation: Kind, name: String? = nil, conditions: [any OperationCondition] = [],
    observers: [any OperationObserver] = []
  ) where Wrapped == FoundationOperation<Kind> {
    self.init(FoundationOperation(operation), name: name, conditions: conditions, observers: observers)
  }
}
