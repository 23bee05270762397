/// A built-in capability whose parts take values, such as paths or hosts.
public protocol ValueCapability: BuiltInCapability
where Requirement == AtomRequirement, Status == StandardStatus<AtomRequirement> {
  /// A way in which a program uses the values.
  associatedtype Part: RawRepresentable<String> & CaseIterable & Hashable & Sendable
}

extension ValueCapability {
  /// Creates the capability to use all values of some scopes in one way. ``Scope/any`` is every value.
  public init(_ part: Part, in scopes: Set<Scope>) {
    let atoms = scopes.map { Atom(Self.definition.name, part.rawValue, $0) }
    self.init(AtomRequirement(atoms: Set(atoms)))
  }
}

extension AtomRequirement {
  /// The only atom; `nil` if there is not exactly one.
  var single: Atom? { atoms.count == 1 ? atoms.first : nil }
}
