import Machine
import PermModel

// Requests that a broker shows.

extension BrokerAnswerer {
  func endAtBroker(_ asking: Asking, _ attempts: inout Attempts) async throws -> RequestEnd {
    let request = asking.request
    let connection = try BrokerConnection(to: .ask, among: addresses)
    try connection.send(Methods.Request.self, .init(request, at: now), more: true)
    if let terminal {
      guard terminal.waitForReply(at: connection, until: limit(of: request)) else { return .timedOut }
      try connection.read()
    }
    guard var reply = try await firstReply(to: request, at: connection) else { return .timedOut }
    while true {
      attempts.refusals = 0
      if let end = try reply.end(of: request.capability, asking: request.atoms, at: now) { return end }
      if !attempts.hasWaited { await asking.whenWaiting?() }
      attempts.hasWaited = true
      reply = try await nextReply(to: asking, at: connection, dashboards: reply.presenters ?? 0)
    }
  }

  /// The time until which the program wants to wait; `nil` if there is no limit.
  private func limit(of request: Request) -> ContinuousClock.Instant? {
    request.givesUpAt.map { .now + max($0 - now, .zero) }
  }

  /// Waits for the first reply to a request. Returns `nil` if there is none in time.
  private func firstReply(
    to request: Request, at connection: BrokerConnection
  ) async throws -> Methods.Request.Reply? {
    // A terminal has waited for it already.
    guard terminal == nil else { return try await connection.next(of: Methods.Request.self).reply }
    let outcome = try await first(
      of: { ReplyInTime.came(try await connection.next(of: Methods.Request.self).reply) },
      { try await waitInVain(for: request, at: connection) ? .isLate : nil })
    switch outcome {
    case .came(let reply): return reply
    case .isLate: return nil
    case nil: throw CancellationError()
    }
  }

  private enum ReplyInTime: Sendable {
    case came(Methods.Request.Reply)
    case isLate
  }

  /// Waits until the program no longer wants to wait. A broker that is not stopped says so itself by then, so it is given
  /// a little more time. Returns `false` if the program waits without limit.
  private func waitInVain(for request: Request, at connection: BrokerConnection) async throws -> Bool {
    guard let limit = limit(of: request) else { return false }
    try await QuietClock.sleep(for: limit - .now)
    if connection.isStopped {
      terminal?.tell(connection.silence)
    } else {
      try await QuietClock.sleep(for: BrokerConnection.patience)
    }
    return true
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
        guard try await waitInVain(for: asking.request, at: connection) else { return nil }
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
