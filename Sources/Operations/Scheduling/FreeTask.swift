/// A task that its operation no longer needs, and the operation that continues in it.
///
/// Making a task, and waking a thread for it, costs more than many an operation. So an operation that becomes ready
/// just as another one leaves its task continues in that task.
struct FreeTask {
  private let task: Task<Void, Never>?
  private(set) var successor: OperationRecord?

  /// - Parameter task: `nil` if there is none to hand over.
  init(_ task: Task<Void, Never>? = nil) { self.task = task }

  /// Whether an operation may continue in it.
  var isFree: Bool { task != nil && successor == nil }

  /// Hands the task over to an operation, which its cancellation concerns from now on.
  mutating func goOn(with record: OperationRecord) {
    successor = record
    record.adopt(task)
  }
}
