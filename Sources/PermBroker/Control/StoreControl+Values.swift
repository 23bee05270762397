package import PermModel

extension StoreControl {
  /// Returns a requirement as a program would ask for it from this process, and the known facts about its values.
  ///
  /// - Parameter home: The home folder.
  /// - Returns: `nil` if there is no such capability.
  package func resolved(
    _ reference: CapabilityReference, for subject: Subject, home: String
  ) async throws -> (reference: CapabilityReference, facts: ValueFacts)? {
    guard let definition = catalogue[reference.capability]?.definition else { return nil }
    var asked = AskedValues(reference)
    if HookMessage.Agent.codex.hidesFolder(of: reference.capability, subject) { asked.dialect = .codex }
    var found = try await Lookup(in: store, home: home).resolve(
      asked, by: .own, for: Judge(of: subject, definition, under: policy), forAlert: false)
    // An agent asks in its own folder, whose conditions cannot be examined from another one.
    found.facts.isElsewhere = false
    return (CapabilityReference(capability: reference.capability, atoms: found.atoms), found.facts)
  }
}
