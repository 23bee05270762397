public import Foundation
import Machine
public import Operations

/// A Foundation operation that represents an operation of this package, and finishes after that operation has ended.
///
/// Foundation operations in any queue can depend on a handle operation, which finishes only if it is added to a
/// Foundation queue or started. Cancelling either operation cancels the other. The represented operation runs even if
/// the handle operation is never started.
public final class HandleOperation<Output: Sendable>: Foundation.Operation, @unchecked Sendable {
  // The unchecked conformance is safe: this class adds only a constant, and state that a lock protects.
  private enum Phase: Sendable { case waiting, executing, finished }

  /// The handle of the operation that this one represents.
  public let handle: OperationHandle<Output>
  private let phase = Lock(Phase.waiting)

  public init(_ handle: OperationHandle<Output>) {
    self.handle = handle
    super.init()
    name = handle.name
  }

  public override var isAsynchronous: Bool { true }
  public override var isExecuting: Bool { phase.withLock { $0 == .executing } }
  public override var isFinished: Bool { phase.withLock { $0 == .finished } }

  public override func start() {
    let isFirst = phase.withLock { phase in
      defer { if phase == .waiting { phase = .executing } }
      return phase == .waiting
    }
    guard isFirst else { return }
    didChangeValue(forKey: "isExecuting")
    Task.detached { [self] in
      if case .cancelled = await handle.outcome { cancel() }
      finish()
    }
  }

  public override func cancel() {
    super.cancel()
    handle.cancel()
  }

  private func finish() {
    phase.withLock { $0 = .finished }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }
}

extension OperationHandle {
  /// A new Foundation operation that finishes after this handle's operation has ended.
  public var foundationOperation: HandleOperation<Output> { HandleOperation(self) }
}
