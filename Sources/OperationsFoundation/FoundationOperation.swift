public import Foundation
public import Operations

/// Runs a Foundation operation as one of ours, and returns it when it has ended.
///
/// Cancelling either one cancels the other: if it was cancelled in Foundation, it ends as cancelled here. Its
/// `dependencies` in Foundation are waited for here too, and its `completionBlock` is left alone.
///
/// An operation that is executing or has finished already is only waited for. An operation that still waits in a
/// Foundation queue must not be passed in: Foundation stops the program if an operation is added twice.
public struct FoundationOperation<Wrapped: Foundation.Operation>: Operations.Operation {
  private let operation: Wrapped

  public init(_ operation: Wrapped) { self.operation = operation }

  public var name: String { operation.name ?? String(describing: type(of: operation)) }

  /// - Throws: `CancellationError` if the operation was cancelled from either side.
  public func execute(_ context: OperationContext) async throws -> Wrapped {
    await withTaskCancellationHandler {
      await run()
    } onCancel: {
      operation.cancel()
    }
    if operation.isCancelled { throw CancellationError() }
    return operation
  }

  /// Runs it in a queue of its own: Foundation's queues on Linux lose operations that are added behind others that
  /// wait. A second operation in that queue reports the end, so that the completion block remains the owner's.
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
  /// Wraps an operation of Foundation.
  ///
  /// ```swift
  /// let export = Foundation.BlockOperation { print("exporting") }
  /// let handle = queue.add(ComposedOperation(export, conditions: [MutuallyExclusive("disc")]))
  /// ```
  ///
  /// - Parameter name: The operation's own name, or that of its type, unless given.
  public init<Kind: Foundation.Operation>(
    _ operation: Kind, name: String? = nil, conditions: [any OperationCondition] = [],
    observers: [any OperationObserver] = []
  ) where Wrapped == FoundationOperation<Kind> {
    self.init(FoundationOperation(operation), name: name, conditions: conditions, observers: observers)
  }
}
