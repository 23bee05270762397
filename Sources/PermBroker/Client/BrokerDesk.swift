import Machine
package import PermModel

/// A desk that passes requests to a store's broker, which shows them on the user's dashboard.
///
/// The desk uses only the `ask` socket, so that it also works in a sandbox: no other socket is ever passed into one.
/// While no broker is running, the desk uses the store directly. Existing decisions apply even without a broker. A new
/// request waits in the store until somebody answers it there, or until a broker takes it over under the same id.
package struct BrokerDesk: PermissionDesk {
  private let addresses: [BrokerAddress]
  private let store: StoreWithoutBroker
  private let terminal: (any ProgramTerminal)?
  private var client: BrokerClient { BrokerClient(addresses: addresses) }

  /// The pause before connecting again to a broker that went away or refused the connection.
  private static let pause = Duration.milliseconds(200)
  /// The number of consecutive connections that may end without a reply before the desk gives up.
  private static let mostRefusals = 5

  /// - Parameter terminal: The terminal on which the program can ask its user; `nil` if it never asks on a terminal.
  package init(
    addresses: [BrokerAddress], store: StoreWithoutBroker, terminal: (any ProgramTerminal)? = nil
  ) {
    self.addresses = addresses
    self.store = store
    self.terminal = terminal
  }

  package var now: Timestamp { store.environment.now().wall }

  package func makeID() -> String { store.environment.makeID() }

  // MARK: Looking

  /// Returns the states of atoms for this program under the subject's label. The broker does not disclose the decisions
  /// behind them.
  package func standing(
    of subject: Subject, capability: String, asking atoms: Set<Atom>?
  ) async throws -> Standing {
    do {
      // If no values are asked for, the states of all parts are of interest.
      let valued = atoms?.contains { $0.scope != .any } == true ? atoms : nil
      let parameters = Methods.Status.Parameters(subject, capability, asking: valued)
      let reply = try await client.call(Methods.Status.self, parameters)
      return try Standing(reply, of: subject, capability, asking: valued, at: now)
    } catch BrokerSocketError.nobodyListens {
      return try store.open().standing(
        of: subject, capability: capability, asking: atoms.flatMap(ValueFacts().needed))
    }
  }

  package func decisionChanges(
    for subject: Subject, capability: String, asking atoms: Set<Atom>?
  ) throws -> AsyncStream<Void> {
    let parameters = Methods.Status.Parameters(subject, capability, asking: atoms)
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      continuation.yield()
      let task = Task.quiet {
        while !Task.isCancelled {
          // If neither the broker nor the store can be followed, the stream ends. The next lookup throws the reason.
          let end: Void? = try? await follow(parameters, capability, subject) { continuation.yield() }
          if end == nil { break }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Reports changes from the broker until it goes away. If no broker is running, reports changes from the
  /// store until one starts.
  ///
  /// - Throws: The reason why neither the broker nor the store can be followed.
  private func follow(
    _ parameters: Methods.Status.Parameters, _ capability: String, _ subject: Subject,
    _ changed: @escaping @Sendable () -> Void
  ) async throws {
    do {
      for try await _ in try client.replies(to: Methods.Status.self, parameters) { changed() }
    } catch BrokerError.disconnected {
      try await QuietClock.sleep(for: Self.pause)
    } catch BrokerSocketError.nobodyListens {
      let desk = LocalDesk(store: try store.open(), slot: .default)
      let changes = try desk.decisionChanges(for: subject, capability: capability, asking: nil)
      let watch = try BrokerWatch(addresses)
      _ = try await first(
        of: {
          for await _ in changes { changed() }
          throw BrokerError.disconnected
        }, { await watch.waitUntilListening() ? true : nil })
    }
  }

  package func record(_ answer: AutomaticAnswer) async throws {
    // Sending a request makes the broker note that the decision was used. If the first reply says that the request is
    // waiting, the decision no longer applies. Returning from this call closes the connection, which withdraws the
    // request.
    guard let capability = answer.capability else { return }
    let parameters = Methods.Request.Parameters(
      id: makeID(), capability: capability, parts: answer.atoms.wholeParts,
      values: answer.atoms.wireValues ?? [], label: answer.subject.label,
      inFolder: answer.subject.folder == nil ? nil : true)
    do {
      for try await _ in try client.replies(to: Methods.Request.self, parameters) { return }
    } catch BrokerSocketError.nobodyListens {
      try store.record(answer)
    }
  }

  // MARK: Asking

  package func answer(to asking: Asking) async throws -> RequestEnd {
    let end = try await end(of: asking)
    if case .unavailable(let reason) = end { throw UnavailableToBroker(explanation: reason) }
    return try await complete(end, of: asking)
  }

  private struct Attempts {
    /// The number of connections that have ended without a reply since a broker last replied.
    var refusals = 0
    /// Whether the request has already waited for a person's answer.
    var hasWaited = false
  }

  /// Asks, and waits for the outcome of the request. The wait continues while brokers come and go, because
  /// each new broker finds the request under the same id.
  package func end(of asking: Asking) async throws -> RequestEnd {
    var attempts = Attempts()
    while true {
      do {
        return try await endAtBroker(asking, &attempts)
      } catch BrokerSocketError.nobodyListens {
        if let end = try await endInStore(asking, &attempts) { return end }
      } catch BrokerError.disconnected {
        attempts.refusals += 1
        if attempts.refusals > Self.mostRefusals { throw BrokerError.disconnected }
        if attempts.refusals > 1 { try await QuietClock.sleep(for: Self.pause) }
        try await waitForNextBroker()
      }
    }
  }

  /// Waits for the next broker to start. If the terminal shows a question, returns immediately and leaves the question
  /// there.
  private func waitForNextBroker() async throws {
    if await terminal?.showsQuestion == true { return }
    try await BrokerWatch(addresses).waitForNext()
  }

  // MARK: At a broker

  private func endAtBroker(_ asking: Asking, _ attempts: inout Attempts) async throws -> RequestEnd {
    let request = asking.request
    let connection = try BrokerConnection(to: .ask, among: addresses)
    try connection.send(
      Methods.Request.self, .init(request, asking.capability.definition, at: now), more: true)
    if let terminal {
      terminal.waitForReply(at: connection.descriptor)
      try connection.read()
    }
    var reply = try await connection.next(of: Methods.Request.self).reply
    while true {
      attempts.refusals = 0
      if let end = try reply.end(of: request.capability, asking: request.atoms, at: now) { return end }
      if !attempts.hasWaited { await asking.whenWaiting?() }
      attempts.hasWaited = true
      let dashboards = reply.presenters ?? 0
      await terminal?.waits(dashboards: dashboards)
      let next = try await first(
        of: { try await connection.next(of: Methods.Request.self).reply },
        {
          guard dashboards == 0 else { return nil }
          // The broker has resolved the paths for itself only, so they are resolved again for the question on the
          // terminal.
          let asking = try await store.found(asking)
          let wording = Wording()
          let end = try await askHere(asking, line(for: request, wording)) { wording.definition }
          return end.map { Methods.Request.Reply(id: request.id, $0) }
        })
      guard let next else { throw CancellationError() }
      reply = next
    }
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
  private func askHere(
    _ asking: Asking, _ line: QuestionLine,
    in definition: @escaping @Sendable () -> CapabilityDefinition? = { nil }
  ) async throws -> RequestEnd? {
    try await terminal?.ask({ try store.alert(for: asking, in: definition()) }, line)
  }

  // MARK: In the store

  private enum StoreEnd: Sendable {
    case ended(RequestEnd)
    /// The start of a broker that takes over the request.
    case brokerCame
  }

  /// Gets the outcome of the request from the store, waiting if necessary. Returns `nil` as soon as a broker has
  /// started, so that the broker can be asked instead.
  private func endInStore(_ asking: Asking, _ attempts: inout Attempts) async throws -> RequestEnd? {
    let desk = try store.desk()
    let asking = try await store.found(asking)
    let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
    let hadWaited = attempts.hasWaited
    attempts = Attempts(hasWaited: true)
    let end = try await first(
      of: {
        let end = try await store.end(of: asking.request, asking.capability, at: desk) {
          if !hadWaited { await asking.whenWaiting?() }
          await terminal?.waits(dashboards: 0)
          waiting.yield()
        }
        // Decisions have settled a request that an earlier broker left waiting in the store, so it can be closed there.
        if hadWaited { _ = try store.open().close(asking.request.id, end, by: store.origin) }
        return StoreEnd.ended(end)
      },
      {
        for await _ in waits { return try await waitForBroker(asking, desk) }
        return nil
      })
    switch end {
    case .ended(let end)?: return end
    case .brokerCame?: return nil
    case nil: throw CancellationError()
    }
  }

  /// Waits for a broker to start, and asks on the program's own terminal in the meantime.
  private func waitForBroker(_ asking: Asking, _ desk: LocalDesk) async throws -> StoreEnd? {
    // A watch is made only for a request that waits, because closing the watch takes longer than giving a known answer.
    let watch = try BrokerWatch(addresses)
    let line = try store.questionLine(for: asking)
    return try await first(
      of: {
        guard await watch.waitUntilListening() else { return nil }
        desk.handOver()
        return .brokerCame
      }, { try await askHere(asking, line).map(StoreEnd.ended) })
  }

  /// Completes a denial that came from decisions: adds the denied atoms, which such a denial does not name.
  private func complete(_ end: RequestEnd, of asking: Asking) async throws -> RequestEnd {
    guard var answer = end.answer, answer.verdict == .deny, answer.allowed.isEmpty, answer.denied.isEmpty
    else { return end }
    let request = asking.request
    let standing = try await standing(
      of: request.subject, capability: request.capability, asking: request.atoms)
    let decided = DecidedAtoms(
      asking.capability.definition, standing: standing, restricted: asking.restricted, facts: request.facts)
    answer.denied = decided.atoms(request.atoms, in: [.undecided, .denied])
    return .answered(answer)
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

/// The error thrown when the broker, with its rights and settings, does not find a resource that this process finds.
package struct UnavailableToBroker: Error, Hashable, CustomStringConvertible {
  /// The reason, in the broker's words.
  package let explanation: String

  package var description: String { "not available: \(explanation)" }
}

extension Standing {
  /// Creates a standing with one decision for each atom whose state the broker reported. The broker does not disclose
  /// the real decisions, so these represent only the states.
  ///
  /// - Parameter atoms: The atoms that were asked about, if they have values. The states of whole parts are then left
  ///   out, because a part can be denied for everything only because it is denied for a single other value.
  fileprivate init(
    _ reply: Methods.Status.Reply, of subject: Subject, _ capability: String, asking atoms: Set<Atom>?,
    at moment: Timestamp
  ) throws(BrokerError) {
    self.init()
    let allowed = try Set(capability, parts: reply.allowed, values: reply.allowedValues)
    let denied = try Set(capability, parts: reply.denied, values: reply.deniedValues)
    for (verdict, told) in [(Verdict.allow, allowed), (.deny, denied)] {
      let asked = atoms.map { told.intersection($0) } ?? told
      for atom in asked {
        decisions[atom] = Decision(
          subject: subject, atom: atom, verdict: verdict, lifetime: .forever, origin: .rule("broker"),
          decidedAt: moment)
      }
    }
  }
}
