/// A task whose operation needs it no more, and the operation that goes on in it.
///
/// Making a task, and waking a thread for it, costs more than many an operation. So what can go on just as another
/// operation leaves its task goes on in that one.
struct FreeTask {
  private let task: Task<Void, Never>?
  private(set) var successor: OperationRecord?

  /// - Parameter task: `nil` where there is none to give.
  init(_ task: Task<Void, Never>? = nil) { self.task = task }

  /// Whether an operation may go on in it.
  var isFree: Bool { task != nil && successor == nil }

  /// Gives the task to an operation, whose cancellation is the task's from now on.
  mutating func goOn(with record: OperationRecord) {
    successor = record
    record.adopt(task)
  }
}
