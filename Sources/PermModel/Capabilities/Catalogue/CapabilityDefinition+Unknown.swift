extension CapabilityDefinition {
  /// Returns a stand-in for a capability that is no longer configured.
  package static func unknown(_ reference: CapabilityReference) -> CapabilityDefinition {
    let (name, parts) = (reference.capability, Set(reference.atoms.map(\.name)).sorted())
    return CapabilityDefinition(
      name: name, title: name, summary: "This capability is no longer configured.", severity: .severe,
      parts: parts.map { CapabilityPart($0, action: "use \(name): \($0)") })
  }
}
