/// A capability of any type, as ``CapabilityCatalogue/capability(_:)`` finds it by its name.
public struct AnyCapability: CapabilityType, CapabilityWithExample {
  public let requirement: AtomRequirement
  private let descriptor: CapabilityDescriptor

  public var definition: CapabilityDefinition { descriptor.definition }

  package init(_ descriptor: CapabilityDescriptor, asking atoms: Set<Atom>) {
    requirement = AtomRequirement(atoms: atoms)
    self.descriptor = descriptor
  }

  public func availability(in environment: ProbeEnvironment) async -> Availability {
    await descriptor.availability(for: requirement.atoms, in: environment)
  }

  public func probedPaths(in environment: ProbeEnvironment) -> [String] {
    descriptor.probedPaths(in: environment)
  }

  public func explanation(for atoms: Set<Atom>, in environment: ProbeEnvironment) async -> String {
    await descriptor.explanation(for: atoms, in: environment)
  }

  package var example: CapabilityExample? { descriptor.example(asking: requirement.atoms) }
}
