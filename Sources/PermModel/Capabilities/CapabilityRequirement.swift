/// How much of a capability is asked for: a set of atoms under a capability's own names.
public protocol CapabilityRequirement: Hashable, Sendable, CustomStringConvertible {
  /// What must be allowed for the requirement to be met. An empty set asks for nothing.
  var atoms: Set<Atom> { get }

  /// The requirement that these atoms stand for. Atoms of other capabilities are left out.
  init(atoms: Set<Atom>)
}

extension CapabilityRequirement {
  public var description: String {
    atoms.isEmpty ? "nothing" : atoms.sorted().map(\.description).joined(separator: ", ")
  }
}

/// A requirement of a capability that has no names of its own for its atoms.
public struct AtomRequirement: CapabilityRequirement {
  public var atoms: Set<Atom>
  public init(atoms: Set<Atom>) { self.atoms = atoms }
}

/// The requirement of a capability of which nothing needs to be allowed.
public struct NoRequirement: CapabilityRequirement {
  public var atoms: Set<Atom> { [] }
  public init(atoms: Set<Atom> = []) {}
}
