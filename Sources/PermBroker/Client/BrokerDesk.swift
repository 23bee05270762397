public import PermModel

/// Answers requests through the broker of a store, so that they come up on the user's dashboard.
///
/// It talks to the socket `ask` only, which a sandbox may hold too. While no broker is there it goes by the store: what
/// is decided is known without one, and a request waits in the store until somebody answers it there, or until a broker
/// takes it up under the same id.
public struct BrokerDesk: PermissionDesk {
  private let addresses: [BrokerAddress]
  private let store: StoreWithoutBroker
  private var client: BrokerClient { BrokerClient(addresses: addresses) }

  /// How long it leaves a broker that goes away before it asks again.
  private static let pause = Duration.milliseconds(200)

  init(addresses: [BrokerAddress], store: StoreWithoutBroker) {
    self.addresses = addresses
    self.store = store
  }

  public var now: Timestamp { store.environment.now().wall }

  public func makeID() -> String { store.environment.makeID() }

  // MARK: Looking

  /// What holds for this program under the subject's label.
  public func standing(of subject: Subject, capability: String) async throws -> Standing {
    do {
      let parameters = Methods.Status.Parameters(capability: capability, label: subject.label)
      return Standing(try await client.call(Methods.Status.self, parameters))
    } catch BrokerSocketError.nobodyListens {
      return try store.open().standing(of: subject, capability: capability)
    }
  }

  public func decisionChanges(for subject: Subject, capability: String) throws -> AsyncStream<Void> {
    let parameters = Methods.Status.Parameters(capability: capability, label: subject.label)
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      continuation.yield()
      let task = Task {
        while !Task.isCancelled {
          // What cannot be followed ends the stream; who looks again hears why.
          guard (try? await follow(parameters, subject) { continuation.yield() }) != nil else { break }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Follows the broker until it goes away, or the store until there is a broker.
  ///
  /// - Throws: why neither can be followed.
  private func follow(
    _ parameters: Methods.Status.Parameters, _ subject: Subject, _ changed: @escaping @Sendable () -> Void
  ) async throws {
    do {
      for try await _ in try client.replies(to: Methods.Status.self, parameters) { changed() }
    } catch BrokerError.disconnected {
      try await Task.sleep(for: Self.pause)
    } catch BrokerSocketError.nobodyListens {
      let desk = LocalDesk(store: try store.open(), slot: .default)
      let changes = try desk.decisionChanges(for: subject, capability: parameters.capability)
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask {
          for await _ in changes { changed() }
          throw BrokerError.disconnected
        }
        group.addTask { try await untilBroker() }
        try await group.next()
      }
    }
  }

  private func untilBroker() async throws {
    let watch = try BrokerWatch(.ask, among: addresses)
    guard await watch.waitUntilListening() else { throw CancellationError() }
  }

  public func record(_ answer: AutomaticAnswer) async throws {
    // Asking is how a use is noted. A request that waits is about something that held just now and does no longer; when
    // nobody listens for what becomes of it, it is withdrawn.
    guard let capability = answer.capability else { return }
    let reference = CapabilityReference(capability: capability, atoms: answer.atoms)
    let parameters = Methods.Request.Parameters(
      id: makeID(), capability: "\(reference)", label: answer.subject.label)
    do {
      for try await _ in try client.replies(to: Methods.Request.self, parameters) { return }
    } catch BrokerSocketError.nobodyListens {
      try store.open().record(answer)
    }
  }

  // MARK: Asking

  public func answer(to asking: Asking) async throws -> RequestEnd {
    while true {
      do {
        return try await ask(asking)
      } catch BrokerError.disconnected {
        // The next broker finds the request under the same id.
        try await Task.sleep(for: Self.pause)
      } catch BrokerSocketError.nobodyListens {
        await asking.whenWaiting?()
        return try await withThrowingTaskGroup(of: RequestEnd.self) { group in
          defer { group.cancelAll() }
          group.addTask { try await store.answer(to: asking.request) }
          group.addTask {
            try await untilBroker()
            return try await answer(to: asking)
          }
          guard let end = try await group.next() else { throw CancellationError() }
          return end
        }
      }
    }
  }

  private func ask(_ asking: Asking) async throws -> RequestEnd {
    let request = asking.request
    let parameters = Methods.Request.Parameters(
      id: request.id.text,
      capability: "\(CapabilityReference(capability: request.capability, atoms: request.atoms))",
      label: request.subject.label, reason: request.reason,
      lifetime: request.suggestedLifetime.map(Wire.Lifetime.init),
      milliseconds: request.givesUpAt.map { max(0, ($0 - now).wholeMilliseconds) })
    var hasWaited = false
    for try await reply in try client.replies(to: Methods.Request.self, parameters) {
      if let end = reply.end(of: request.capability, asking: request.atoms, at: now) {
        if case .unavailable(let reason) = end { throw UnavailableToBroker(explanation: reason) }
        return try await complete(end, of: asking)
      }
      // Further ones only tell that dashboards came or went.
      if !hasWaited { await asking.whenWaiting?() }
      hasWaited = true
    }
    try Task.checkCancellation()
    throw BrokerError.disconnected
  }

  /// Adds what a denial is about if decisions gave it.
  private func complete(_ end: RequestEnd, of asking: Asking) async throws -> RequestEnd {
    guard var answer = end.answer, answer.verdict == .deny, answer.allowed.isEmpty, answer.denied.isEmpty
    else { return end }
    answer.denied = try await undecided(asking)
    return .answered(answer)
  }

  /// The atoms of a request that no decision covers.
  private func undecided(_ asking: Asking) async throws -> Set<Atom> {
    let standing = try await standing(of: asking.request.subject, capability: asking.request.capability)
    let decided = DecidedAtoms(
      asking.capability.definition, standing: standing, restricted: asking.restricted)
    return decided.atoms(asking.request.atoms, in: [.undecided])
  }
}

/// What this process finds on the machine is not there for the broker, which looks with its own rights and settings.
public struct UnavailableToBroker: Error, Hashable, CustomStringConvertible {
  /// Why, in the broker's words.
  public let explanation: String

  public var description: String { "not available: \(explanation)" }
}

extension Standing {
  /// What a broker tells of the calling program.
  init(_ reply: Methods.Status.Reply) {
    let decisions = reply.decisions.map(\.decision)
    self.init(
      decisions: Dictionary(decisions.map { ($0.atom, $0) }) { first, _ in first },
      mute: reply.muted?.decision,
      suspension: reply.suspended.map {
        Suspension(since: Timestamp(microseconds: $0), origin: .rule("broker"))
      })
  }
}
