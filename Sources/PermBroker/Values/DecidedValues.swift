import PermModel

// The parts and values about which a call decides.

extension CapabilityCatalogue {
  /// Returns the parts and values that a call decides about.
  func reference(_ requirement: Wire.Requirement) throws(BrokerError) -> CapabilityReference {
    let (parts, values) = (requirement.parts, requirement.values)
    guard parts != nil || values != nil else {
      // In a text, a value can mean a wider scope. A path with a slash at its end, for example, is a folder.
      guard !requirement.capability.contains("@") else {
        throw .invalid(parameter: "capability", reason: "put each value into the field values instead")
      }
      return try reference(requirement.capability)
    }
    // Requests of earlier clients have containers in the names of parts. Decisions never had them there.
    guard parts?.contains(where: { $0.contains("@") }) != true else {
      throw .invalid(parameter: "parts", reason: "values do not belong here, but in the field values")
    }
    let definition = try definition(named: requirement.capability)
    let atoms = try Set(definition.name, parts: parts ?? [], values: values)
    guard !atoms.isEmpty else {
      throw .invalid(parameter: "values", reason: "name at least one part or value")
    }
    for value in values ?? [] { try value.scope.checkRoot() }
    for atom in atoms.sorted() { try definition.check(atom, taking: atom.scope.kind) }
    return CapabilityReference(capability: definition.name, atoms: atoms)
  }

  /// Returns the parts and values that a call makes undecided again. The name of a capability, which need not exist any
  /// longer, stands for all decisions about it.
  func forgotten(_ requirement: Wire.Requirement) throws(BrokerError) -> CapabilityReference {
    let isWhole = requirement.parts == nil && requirement.values == nil
    guard isWhole, !requirement.capability.contains(":") else { return try reference(requirement) }
    return CapabilityReference(capability: requirement.capability, atoms: [])
  }
}

extension ScopeFields {
  /// Throws an error if the root is meant as a single entry, because it is always meant with everything below it.
  fileprivate func checkRoot() throws(BrokerError) {
    guard case .folder = try checked(), (try? spelledPath())?.isFolder == false else { return }
    throw .invalid(parameter: "values", reason: "/ is a folder; put it into the field folder")
  }
}
