package import PermModel

/// A question that this process asks on behalf of another program, for which it vouches. It waits until a person has
/// answered, and is withdrawn if the task that waits is cancelled.
package struct VouchedQuestion: Hashable, Sendable {
  /// The other program, for example `app:org.example.Cam`.
  package var program: String
  /// The atoms that the program asks for, all of one capability.
  package var atoms: Set<Atom>
  package var reason: String?

  package init(_ program: String, _ atoms: Set<Atom>, reason: String?) {
    self.program = program
    self.atoms = atoms
    self.reason = reason
  }

  fileprivate func parameters(_ id: String) -> Methods.RequestFor.Parameters {
    Methods.RequestFor.Parameters(
      program: program, id: id, capability: atoms.first?.capability ?? "",
      parts: atoms.wholeParts.isEmpty ? nil : atoms.wholeParts, values: atoms.wireValues, reason: reason,
      patient: true)
  }
}

extension BrokerClient {
  /// Asks, and waits for the end. If the broker goes away, the next one is asked under the same id.
  ///
  /// - Throws: ``BrokerSocketError/nobodyListens`` if no broker is running, or ``BrokerError`` if it refuses the question.
  package func end(of question: VouchedQuestion) async throws -> RequestEnd {
    try await end(at: Methods.RequestFor.self, asking: question.atoms, question.parameters)
  }
}
