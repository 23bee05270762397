// What an operation's tasks do. There is one task, or two when it has to wait between its looks and its execution.

extension OperationRecord {
  func run() async {
    switch queue.change({ $0.begin(self.id, &$1) }) {
    case .leave, .ask: return
    case .execute: await execute()
    case .lastLook: await lookAgainAndExecute()
    case .look: await lookAndGoOn()
    }
  }

  private func lookAndGoOn() async {
    guard let details else { return }
    var looks = ConditionLooks(record: self, conditions: details.conditions)
    let verdict = await looks.lookAndRemedy()
    guard verdict.isSatisfied else { return queue.end(self, verdict.ending) }
    details.keepRemedyOutputs(looks.outputs)
    // The next part may need another task, and one that waits for it must not keep this one.
    let task = takeTask()
    switch queue.change({ $0.looked(self.id, &$1) }) {
    case .leave, .look, .execute: return
    case .lastLook: break
    case .ask: guard queue.requestTicket(for: self, inTask: true) else { return }
    }
    putBack(task)
    await lookAgainAndExecute()
  }

  private func lookAgainAndExecute() async {
    guard let details else { return }
    let looks = ConditionLooks(record: self, conditions: details.conditions, outputs: details.remedyOutputs)
    let verdict = await looks.lastLook()
    guard verdict.isSatisfied else { return queue.end(self, verdict.ending) }
    guard queue.change({ $0.startExecuting(self.id, &$1) }) else { return }
    await execute()
  }

  private func execute() async {
    guard let work else { return }
    let context = OperationContext(record: self, ticket: queue.ticket(of: self))
    do {
      let output = try await perform(work, context)
      queue.end(self, .succeeded(output))
    } catch is CancellationError {
      queue.end(self, .cancelled)
    } catch let skipped as OperationSkipped {
      queue.end(self, .skipped(skipped.reason))
    } catch {
      queue.end(self, .failed(error))
    }
  }

  private func perform<Work: Operation>(_ work: Work, _ context: OperationContext) async throws
    -> any Sendable
  {
    try await work.execute(context)
  }
}
