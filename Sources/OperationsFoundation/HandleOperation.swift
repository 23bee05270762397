public import Foundation
import Machine
public import Operations

/// One of our operations as one of Foundation's: it finishes when ours has ended.
///
/// Other operations of Foundation can depend on it, in any of Foundation's queues; it has to be added to one, or
/// started. Cancelling either cancels the other. Ours runs whether or not this has been started.
public final class HandleOperation<Output: Sendable>: Foundation.Operation, @unchecked Sendable {
  // What this adds to Foundation's class is a constant and what `phase` protects.
  private enum Phase: Sendable { case waiting, executing, finished }

  /// The operation that this stands for.
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
  /// An operation of Foundation that finishes when this one has ended.
  public var foundationOperation: HandleOperation<Output> { HandleOperation(self) }
}
