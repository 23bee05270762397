extension CapabilityDescriptor {
  /// The capabilities for what programs do on a machine. They mean the same no matter which program asks.
  static let forValues = [
    CapabilityDescriptor(ValueCapability.files, example: ValueCapability.filesExample),
    CapabilityDescriptor(ValueCapability.network, example: ValueCapability.networkExample),
    CapabilityDescriptor(ValueCapability.commands, example: ValueCapability.commandsExample),
    CapabilityDescriptor(ValueCapability.environment, example: ValueCapability.environmentExample),
    CapabilityDescriptor(ValueCapability.keys, example: ValueCapability.keysExample),
    CapabilityDescriptor(ValueCapability.tools) { _ in nil },
    CapabilityDescriptor(ValueCapability.system, example: ValueCapability.systemExample),
    CapabilityDescriptor(ValueCapability.code) { _ in nil },
  ]

  /// Creates the descriptor of a capability whose parts take values.
  ///
  /// - Parameter example: Returns a small job for the single atom of a requirement.
  private init(_ definition: CapabilityDefinition, example: @escaping @Sendable (Atom) -> CapabilityExample?)
  {
    @Sendable func make(_ atoms: Set<Atom>) -> ValueCapability {
      let own = atoms.filter { $0.capability == definition.name }
      return ValueCapability(
        definition: definition, requirement: AtomRequirement(atoms: own),
        example: own.count == 1 ? own.first.flatMap(example) : nil)
    }
    self.init(definition, example: { make($0).example }, make: { make($0) })
  }
}
