public import Foundation
public import Operations

/// Runs an operation of Foundation as one of ours, and gives it back when it has ended.
///
/// Cancelling either cancels the other: one that was cancelled in Foundation ends as cancelled here. What it waits
/// for in Foundation, its `dependencies`, is waited for here too, and its `completionBlock` is left alone.
///
/// An operation that executes or has finished already is only waited for. One that still waits in a Foundation queue
/// must not be given to this: Foundation stops the program when an operation is added twice.
public struct FoundationOperation<Wrapped: Foundation.Operation>: Operations.Operation {
  private let operation: Wrapped

  public init(_ operation: Wrapped) { self.operation = operation }

  public var name: String { operation.name ?? String(describing: type(of: operation)) }

  /// - Throws: `CancellationError` if the operation was cancelled, by whomever.
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
  /// wait. What follows it in that queue tells the end, so that the completion block stays the owner's.
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
