// The work of an operation's tasks. There is one task, or two if it has to wait between its looks and its execution;
// the task that an operation leaves continues with another one.
//
// An asynchronous function keeps its variables on the heap while it waits. So code that needs many variables and does
// not wait is in functions of its own, which are not inlined: the frames of a short operation fit into the memory that
// its task begins with.

extension OperationRecord {
  /// The maximum number of operations in one task, so that others get their turn at its thread.
  private static var operationsPerTask: Int { 64 }

  /// Runs its next part, and then, in the same task, an operation that becomes ready when that is done.
  func run() async {
    var record = self
    for count in 1...Self.operationsPerTask {
      guard let next = await record.runPart(freesTask: count < Self.operationsPerTask) else { return }
      record = next
    }
  }

  /// Returns the operation that continues in this task.
  @inline(never)
  private func runPart(freesTask: Bool) async -> OperationRecord? {
    switch queue.begin(self) {
    case .leave, .ask: return nil
    case .execute: return await execute(freesTask)
    case .lastLook: return await lookAgainAndExecute(freesTask)
    case .look:
      switch await lookAndGoOn(freesTask) {
      case .goesOn: return await lookAgainAndExecute(freesTask)
      case .left(let next): return next
      }
    }
  }

  /// The task's next step after the looks.
  private enum AfterLooks {
    case goesOn
    case left(OperationRecord?)
  }

  private func lookAndGoOn(_ freesTask: Bool) async -> AfterLooks {
    guard let details else { return .left(nil) }
    var looks = ConditionLooks(record: self, conditions: details.conditions)
    let verdict = await looks.lookAndRemedy()
    return goOn(after: verdict, looks.endings, freesTask)
  }

  @inline(never)
  private func goOn(
    after verdict: ConditionVerdict, _ endings: [OperationEnding?], _ freesTask: Bool
  ) -> AfterLooks {
    guard verdict.isSatisfied else { return .left(end(verdict.ending, freesTask)) }
    details?.keepRemedyEndings(endings)
    // The next part may need another task; an operation that waits for one must not keep this one.
    let task = takeTask()
    if queue.goOnAfterLooks(self) {
      putBack(task)
      return .goesOn
    }
    var free = FreeTask(freesTask && !Task.isCancelled ? task : nil)
    queue.use(&free)
    return .left(free.successor)
  }

  @inline(never)
  private func lookAgainAndExecute(_ freesTask: Bool) async -> OperationRecord? {
    guard let details else { return nil }
    let looks = ConditionLooks(record: self, conditions: details.conditions, endings: details.remedyEndings)
    let verdict = await looks.lastLook()
    guard verdict.isSatisfied else { return end(verdict.ending, freesTask) }
    guard queue.startExecuting(self) else { return nil }
    return await execute(freesTask)
  }

  @inline(never)
  private func execute(_ freesTask: Bool) async -> OperationRecord? {
    guard let work else { return nil }
    let ending = await result(of: work, OperationContext(record: self, ticket: queue.ticket(of: self)))
    return end(ending, freesTask)
  }

  /// Ends it in its task, and returns the operation that continues there.
  @inline(never)
  private func end(_ ending: OperationEnding, _ freesTask: Bool) -> OperationRecord? {
    // Released in any case, so that the end does not cancel the task in which it happens.
    var task = freeTask()
    if !freesTask { task = FreeTask() }
    queue.end(self, ending, &task)
    return task.successor
  }

  private func result<Work: Operation>(of work: Work, _ context: OperationContext) async -> OperationEnding {
    do {
      return .succeeded(try await work.execute(context))
    } catch {
      return OperationEnding(thrown: error)
    }
  }
}
