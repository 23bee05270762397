public import Foundation
import Machine
public import Operations

/// A Foundation operation that stands for one of ours: it finishes when ours has ended.
///
/// Other Foundation operations can depend on it, in any of Foundation's queues; it has to be added to one, or started.
/// Cancelling either one cancels the other. Ours runs whether or not this one has been started.
public final class HandleOperation<Output: Sendable>: Foundation.Operation, @unchecked Sendable {
  // This class adds only a constant to Foundation's, and the state that `phase` protects.
  private enum Phase: Sendable { case waiting, executing, finished }

  /// The operation that this one stands for.
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
  /// A Foundation operation that finishes when this one has ended.
  public var foundationOperation: HandleOperation<Output> { HandleOperation(self) }
}
