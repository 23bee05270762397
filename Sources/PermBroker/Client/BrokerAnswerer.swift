import Machine
package import PermModel

/// A answerer that passes requests to a store's broker, which shows them on the user's dashboard.
///
/// The answerer uses only the `ask` socket, so that it also works in a sandbox: no other socket is ever passed into one.
/// While no broker is running, the answerer uses the store directly. Existing decisions apply even without a broker. A new
/// request waits in the store until somebody answers it there, or until a broker takes it over under the same id.
package struct BrokerAnswerer: PermissionAnswerer {
  let addresses: [BrokerAddress]
  let store: OfflineStore
  let terminal: (any ProgramTerminal)?
  var client: BrokerClient { BrokerClient(addresses: addresses) }

  /// The pause before connecting again to a broker that went away or refused the connection.
  static let pause = Duration.milliseconds(200)
  /// The number of consecutive connections that may end without a reply before the answerer gives up.
  static let mostRefusals = 5

  /// - Parameter terminal: The terminal on which the program can ask its user; `nil` if it never asks on a terminal.
  package init(
    addresses: [BrokerAddress], store: OfflineStore, terminal: (any ProgramTerminal)? = nil
  ) {
    self.addresses = addresses
    self.store = store
    self.terminal = terminal
  }

  package var now: Timestamp { store.environment.now().wall }

  package func makeID() -> String { store.environment.makeID() }

  package func answer(to asking: Asking) async throws -> RequestEnd {
    let end = try await end(of: asking)
    if case .unavailable(let reason) = end { throw UnavailableToBroker(explanation: reason) }
    return try await complete(end, of: asking)
  }

  struct Attempts {
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

  /// Completes a denial that came from decisions: adds the denied atoms, which such a denial does not name.
  private func complete(_ end: RequestEnd, of asking: Asking) async throws -> RequestEnd {
    guard var answer = end.answer, answer.verdict == .deny, answer.allowed.isEmpty, answer.denied.isEmpty
    else { return end }
    let request = asking.request
    let judge = Judge(of: request.subject, asking.capability.definition, under: asking.policy)
    answer.denied = try await judgement(on: request.atoms, .done(request.facts), by: judge).decided
      .atoms(request.atoms, in: [.undecided, .denied])
    return .answered(answer)
  }
}

/// The error thrown when the broker, with its rights and settings, does not find a resource that this process finds.
public struct UnavailableToBroker: Error, Hashable, CustomStringConvertible {
  /// The reason, in the broker's words.
  public let explanation: String

  public var description: String { "not available: \(explanation)" }
}
