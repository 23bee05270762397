// What an operation's tasks do. There is one task, or two when it has to wait between its looks and its execution.
//
// An asynchronous function keeps its variables on the heap while it waits. So whatever needs many and does not wait
// stands in functions of its own, which are not inlined: the frames of a short operation fit into the memory that
// its task begins with.

extension OperationRecord {
  func run() async {
    switch queue.begin(self) {
    case .leave, .ask: return
    case .execute: await execute()
    case .lastLook: await lookAgainAndExecute()
    case .look: if await lookAndGoOn() { await lookAgainAndExecute() }
    }
  }

  /// True if this task goes on with the operation itself.
  private func lookAndGoOn() async -> Bool {
    guard let details else { return false }
    var looks = ConditionLooks(record: self, conditions: details.conditions)
    let verdict = await looks.lookAndRemedy()
    return goOn(after: verdict, looks.outputs)
  }

  @inline(never)
  private func goOn(after verdict: ConditionVerdict, _ outputs: [(any Sendable)?]) -> Bool {
    guard verdict.isSatisfied else {
      queue.end(self, verdict.ending)
      return false
    }
    details?.keepRemedyOutputs(outputs)
    // The next part may need another task, and one that waits for it must not keep this one.
    let task = takeTask()
    guard queue.goOnAfterLooks(self) else { return false }
    putBack(task)
    return true
  }

  private func lookAgainAndExecute() async {
    guard let details else { return }
    let looks = ConditionLooks(record: self, conditions: details.conditions, outputs: details.remedyOutputs)
    let verdict = await looks.lastLook()
    guard queue.startExecuting(self, after: verdict) else { return }
    await execute()
  }

  private func execute() async {
    guard let work else { return }
    queue.end(self, await result(of: work, OperationContext(record: self, ticket: queue.ticket(of: self))))
  }

  private func result<Work: Operation>(of work: Work, _ context: OperationContext) async -> OperationEnding {
    do {
      return .succeeded(try await work.execute(context))
    } catch {
      return OperationEnding(thrown: error)
    }
  }
}

extension OperationEnding {
  fileprivate init(thrown error: any Error) {
    switch error {
    case is CancellationError: self = .cancelled
    case let skipped as OperationSkipped: self = .skipped(skipped.reason)
    default: self = .failed(error)
    }
  }
}
