import PermModel

// The parts and values about which a call decides.

extension CapabilityCatalogue {
  /// Returns the parts and values that a call decides about.
  func reference(_ requirement: Wire.Requirement) throws(BrokerError) -> CapabilityReference {
    let (parts, values) = (requirement.parts, requirement.values)
    guard parts != nil || values != nil else {
      try Self.refuseValues(inText: requirement.capability)
      return try reference(requirement.capability)
    }
    try Self.refuseValues(inParts: parts)
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
