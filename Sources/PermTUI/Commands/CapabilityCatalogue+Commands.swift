import PermModel

extension CapabilityCatalogue {
  /// Reads what a person calls a capability, where the bare name means all of it.
  func parseWhole(_ text: String) throws(CapabilityReferenceError) -> CapabilityReference {
    if let definition = self[text]?.definition {
      return CapabilityReference(capability: text, atoms: Set(definition.atoms))
    }
    return try parse(text)
  }

  /// How a command writes a requirement, for example `photos:read`.
  func words(_ reference: CapabilityReference) -> String {
    self[reference.capability]?.definition.reference(for: reference.atoms) ?? reference.capability
  }
}
