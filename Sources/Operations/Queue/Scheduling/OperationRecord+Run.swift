// The work that is done in an operation's tasks. An operation has one task, or two if it has to wait after the
// evaluation of its conditions. When an operation leaves a task, another operation can continue in that task.
//
// An asynchronous function keeps its variables in its task's memory while it waits. Therefore, code that
// needs many variables but does not wait is in separate functions, which are not inlined. As a result, the
// frames of a short operation fit into the memory that is allocated with its task.

extension OperationRecord {
  /// The maximum number of operations that run in one task. The limit ensures that other tasks get to use the thread.
  private static var operationsPerTask: Int { 64 }

  /// Runs the operation's next part. Whenever an operation leaves the task, another operation that is ready
  /// can continue in it.
  func run() async {
    var turn = Turn(record: self, part: queue.begin(self))
    for count in 1...Self.operationsPerTask {
      let freesTask = count < Self.operationsPerTask
      guard let next = await turn.record.run(turn.part, freesTask) else { return }
      turn = next
    }
  }

  /// Runs a part of the operation, and returns the operation, if any, that continues in this task.
  @inline(never)
  private func run(_ part: OperationQueue.State.Part, _ freesTask: Bool) async -> Turn? {
    switch part {
    case .leave, .ask: return nil
    case .execute(let ticket): return await execute(ticket, freesTask)
    case .lastLook: return await lookAgainAndExecute(freesTask)
    case .look:
      switch await lookAndGoOn(freesTask) {
      case .goesOn: return await lookAgainAndExecute(freesTask)
      case .left(let next): return next
      }
    }
  }

  private enum AfterLooks {
    case goesOn
    case left(Turn?)
  }

  private func lookAndGoOn(_ freesTask: Bool) async -> AfterLooks {
    guard let details else { return .left(nil) }
    var looks = ConditionLooks(record: self, details: details)
    let verdict = await looks.lookAndRemedy()
    return goOn(after: verdict, looks.endings, freesTask)
  }

  @inline(never)
  private func goOn(
    after verdict: ConditionVerdict, _ endings: [OperationEnding?], _ freesTask: Bool
  ) -> AfterLooks {
    guard verdict.isSatisfied else { return .left(end(verdict.ending, name, freesTask)) }
    details?.keepRemedyEndings(endings)
    // The next part might need another task. If the operation has to wait for that task, it must not keep this one.
    let task = takeTask()
    var free = FreeTask(freesTask && !isCurrentTaskCancelled ? task : nil)
    guard queue.goOnAfterLooks(self, &free) else { return .left(free.successor) }
    putBack(task)
    return .goesOn
  }

  @inline(never)
  private func lookAgainAndExecute(_ freesTask: Bool) async -> Turn? {
    guard let details else { return nil }
    let looks = ConditionLooks(record: self, details: details, endings: details.remedyEndings)
    let verdict = await looks.lastLook()
    guard verdict.isSatisfied else { return end(verdict.ending, name, freesTask) }
    guard case .execute(let ticket) = queue.startExecuting(self) else { return nil }
    return await execute(ticket, freesTask)
  }

  @inline(never)
  private func execute(_ ticket: SlotID, _ freesTask: Bool) async -> Turn? {
    guard let work else { return nil }
    let ending = await result(
      of: work, OperationContext(record: self, ticket: ticket == .none ? nil : ticket))
    return end(ending, work.name, freesTask)
  }

  /// Ends the operation from within its task, and returns the operation, if any, that continues in this task.
  @inline(never)
  private func end(_ ending: OperationEnding, _ name: String, _ freesTask: Bool) -> Turn? {
    // The task is always taken away from the operation. Otherwise, ending the operation would cancel the task that runs
    // this code.
    var task = freeTask()
    if !freesTask { task = FreeTask() }
    queue.end(self, ending, name: name, &task)
    return task.successor
  }

  @inline(__always)
  private func result<Work: Operation>(of work: Work, _ context: OperationContext) async -> OperationEnding {
    do {
      return .succeeded(try await work.execute(context))
    } catch {
      return OperationEnding(.failure(error))
    }
  }
}
