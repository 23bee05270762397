package import PermModel

extension BrokerConnection {
  /// Asks; what becomes of it comes from ``nextProgress()``.
  package func ask(_ question: BrokerQuestion) throws(BrokerError) {
    try send(Methods.Request.self, question.parameters, more: true)
  }

  package func nextProgress() throws(BrokerError) -> RequestProgress {
    RequestProgress(try next(of: Methods.Request.self).reply)
  }

  /// The requests that wait, the longest waiting first.
  package func pending() throws(BrokerError) -> [WaitingRequest] {
    try call(Methods.Pending.self, .init()).requests.map(\.waiting)
  }

  /// Answers a request for all that it asked; without a verdict it is dismissed.
  package func answer(
    _ id: Request.ID, _ verdict: Verdict?, for lifetime: LifetimeChoice = .once, note: String? = nil
  ) throws(BrokerError) {
    let answer = verdict.map { Wire.Response(verdict: $0, lifetime: Wire.Lifetime(lifetime), note: note) }
    _ = try call(Methods.Answer.self, .init(id: id.text, answer: answer))
  }

  /// Watches; changes come from ``nextChange()``.
  package func watch(after position: JournalEntry.ID?) throws(BrokerError) {
    try send(Methods.Watch.self, .init(after: position), more: true)
  }

  package func nextChange() throws(BrokerError) -> StoreChange {
    let reply = try next(of: Methods.Watch.self).reply
    return StoreChange(entries: reply.entries.map(\.entry), position: reply.position)
  }
}
