/// The extent to which a program requests a capability. It corresponds to a set of atoms, but each capability can
/// describe it in terms of its own.
public protocol CapabilityRequirement: Hashable, Sendable, CustomStringConvertible {
  /// The atoms that must be allowed for the requirement to be met. An empty set requests nothing.
  var atoms: Set<Atom> { get }

  /// Creates the requirement for these atoms. Atoms of other capabilities are ignored.
  init(atoms: Set<Atom>)
}

extension CapabilityRequirement {
  public var description: String {
    atoms.isEmpty ? "nothing" : atoms.sorted().map(\.description).joined(separator: ", ")
  }
}

/// A requirement that is just a set of atoms, for capabilities that need no terms of their own.
public struct AtomRequirement: CapabilityRequirement {
  public var atoms: Set<Atom>
  public init(atoms: Set<Atom>) { self.atoms = atoms }
}

/// The requirement of a capability that needs no permission.
public struct NoRequirement: CapabilityRequirement {
  public var atoms: Set<Atom> { [] }
  public init(atoms: Set<Atom> = []) {}
}
