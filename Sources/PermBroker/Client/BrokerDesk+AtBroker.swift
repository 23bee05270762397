import Machine
import PermModel

// Requests that a broker shows.

extension BrokerDesk {
  func endAtBroker(_ asking: Asking, _ attempts: inout Attempts) async throws -> RequestEnd {
    let request = asking.request
    let connection = try BrokerConnection(to: .ask, among: addresses)
    try connection.send(Methods.Request.self, .init(request, at: now), more: true)
    if let terminal {
      guard terminal.waitForReply(at: connection, until: lastMoment(for: request)) else { return .timedOut }
      try connection.read()
    }
    var reply = try await connection.next(of: Methods.Request.self).reply
    while true {
      attempts.refusals = 0
      if let end = try reply.end(of: request.capability, asking: request.atoms, at: now) { return end }
      if !attempts.hasWaited { await asking.whenWaiting?() }
      attempts.hasWaited = true
      reply = try await nextReply(to: asking, at: connection, dashboards: reply.presenters ?? 0)
    }
  }

  /// The time by which a broker has replied, if only to say that nobody has answered; `nil` if there is no such time.
  private func lastMoment(for request: Request) -> ContinuousClock.Instant? {
    request.givesUpAt.map { .now + max($0 - now, .zero) + BrokerConnection.patience }
  }

  /// Waits for the next reply to a request that waits. If no dashboard is open, also asks on the program's own terminal.
  private func nextReply(
    to asking: Asking, at connection: BrokerConnection, dashboards: Int
  ) async throws -> Methods.Request.Reply {
    await terminal?.waits(dashboards: dashboards)
    let next = try await first(
      of: { try await connection.next(of: Methods.Request.self).reply },
      {
        guard dashboards == 0 else { return nil }
        // The broker has resolved the paths for itself only, so they are resolved again for the question on the
        // terminal.
        let asking = try await store.resolved(asking)
        let wording = Wording()
        let end = try await askHere(asking, line(for: asking.request, wording)) { wording.definition }
        return end.map { Methods.Request.Reply(id: asking.request.id, $0) }
      },
      {
        guard let end = lastMoment(for: asking.request) else { return nil }
        try await QuietClock.sleep(for: end - .now)
        return Methods.Request.Reply(id: asking.request.id, .timedOut)
      })
    guard let next else { throw CancellationError() }
    return next
  }

  /// Returns the link between a request at the broker and the program's own terminal. The broker refuses the question
  /// if the program is not allowed to ask on the terminal.
  ///
  /// - Parameter wording: Receives the broker's definition of a capability that its user has defined.
  private func line(for request: Request, _ wording: Wording) -> QuestionLine {
    QuestionLine(
      note: { isAsked in
        let reply = try? await client.call(
          Methods.AskHere.self, .init(id: request.id.text, asks: isAsked))
        if let definition = reply?.capability?.descriptor.definition { wording.definition = definition }
        return reply != nil
      },
      answer: { verdict in
        (try? await client.call(Methods.AnswerHere.self, .init(id: request.id.text, verdict: verdict))) != nil
      })
  }

  /// - Parameter definition: Returns the broker's definition of the capability; `nil` if this process's own counts.
  func askHere(
    _ asking: Asking, _ line: QuestionLine,
    in definition: @escaping @Sendable () -> CapabilityDefinition? = { nil }
  ) async throws -> RequestEnd? {
    try await terminal?.ask({ try store.alert(for: asking, in: definition()) }, line)
  }
}

/// The broker's definition of a capability, which determines the words of a question; `nil` if this process's own does.
private final class Wording: Sendable {
  private let state = Lock<CapabilityDefinition?>(nil)

  var definition: CapabilityDefinition? {
    get { state.withLock(\.self) }
    set { state.withLock { $0 = newValue } }
  }
}
