import Machine
package import PermModel

/// A question that a program asks through one of our helpers, as ssh does through its askpass program. It is asked only
/// while a broker is running, and never on a terminal.
package struct HelperQuestion: Hashable, Sendable {
  package var atom: Atom
  /// The name under which the program asks; `nil` for the name of its file.
  package var label: String?
  package var reason: String?
  package var details: ShownDetails?
  /// Whether the answer can be for this question only.
  package var isOnceOnly: Bool
  /// The processes at the other ends of inherited connections, one of which uses a key.
  package var keyUsers: [Int32]

  package init(
    _ atom: Atom, label: String?, reason: String? = nil, details: ShownDetails? = nil,
    isOnceOnly: Bool = false,
    keyUsers: [Int32] = []
  ) {
    self.atom = atom
    self.label = label
    self.reason = reason
    self.details = details
    self.isOnceOnly = isOnceOnly
    self.keyUsers = keyUsers
  }

  fileprivate func parameters(_ id: String, within patience: Duration) -> Methods.Request.Parameters {
    Methods.Request.Parameters(
      id: id, capability: atom.capability, values: Set([atom]).wireValues, label: label, reason: reason,
      details: details.map(Wire.Details.init), milliseconds: max(0, patience.wholeMilliseconds),
      patient: true,
      keyUsers: keyUsers.isEmpty ? nil : keyUsers, onceOnly: isOnceOnly ? true : nil)
  }
}

extension BrokerClient {
  /// The pause before asking again after a broker has gone away.
  private static let pause = Duration.milliseconds(200)

  /// Asks, and waits for the end. If the broker goes away, the next one is asked under the same id.
  ///
  /// - Throws: ``BrokerSocketError/nobodyListens`` if no broker is running, or ``BrokerError`` if it refuses the question.
  package func end(of question: HelperQuestion, within patience: Duration) async throws -> RequestEnd {
    let deadline = ContinuousClock.now + patience
    let outcome = try await first(
      of: { try await end(of: question, until: deadline) },
      {
        try await QuietClock().sleep(until: deadline)
        return .timedOut
      })
    return outcome ?? .dismissed
  }

  private func end(
    of question: HelperQuestion, until deadline: ContinuousClock.Instant
  ) async throws -> RequestEnd {
    try await end(at: Methods.Request.self, asking: [question.atom]) { id in
      question.parameters(id, within: deadline - ContinuousClock.now)
    }
  }

  /// Asks, and waits for the end. If the broker goes away, the next one is asked under the same id.
  ///
  /// - Parameter parameters: Returns the parameters of the call with the given id.
  func end<Method: BrokerMethod>(
    at method: Method.Type, asking atoms: Set<Atom>, _ parameters: (String) -> Method.Parameters
  ) async throws -> RequestEnd where Method.Reply == Methods.Request.Reply {
    let id = RandomID.make()
    let capability = atoms.first?.capability ?? ""
    while true {
      do {
        for try await reply in try replies(to: method, parameters(id)) {
          if let end = try reply.end(of: capability, asking: atoms, at: .now) { return end }
        }
        throw BrokerError.disconnected
      } catch BrokerError.disconnected {
        try await QuietClock.sleep(for: Self.pause)
        try await BrokerWatch(addresses).waitForNext()
      }
    }
  }
}
