/// A capability that every installation has. A conforming type provides the definition, and each of its values
/// represents one requirement.
public protocol BuiltInCapability: CapabilityType {
  static var definition: CapabilityDefinition { get }

  init(_ requirement: Requirement)
}

extension BuiltInCapability {
  public var definition: CapabilityDefinition { Self.definition }
}

extension CapabilityDescriptor {
  init<C: BuiltInCapability & CapabilityWithExample>(_ type: C.Type) {
    self.init(
      C.definition, example: { C(C.Requirement(atoms: $0)).ownExample },
      make: { C(C.Requirement(atoms: $0)) })
  }
}

extension CapabilityWithExample {
  /// The example, found without the conformance look-up of ``CapabilityType/example``.
  fileprivate var ownExample: CapabilityExample? { example }
}

// MARK: - Without parts

/// A built-in capability, such as a device, that has no parts and is allowed as a whole.
package protocol WholeCapability: BuiltInCapability
where Requirement == AtomRequirement, Status == AtomState {
  init()
}

extension WholeCapability {
  public init(_ requirement: AtomRequirement) { self.init() }

  public var requirement: AtomRequirement { AtomRequirement(atoms: Self.definition.defaultAtoms) }

  public func status(from facts: CapabilityFacts) -> AtomState { facts.decided.state(of: Atom.whole) }
}

extension AtomState: AuthorizationStatus {
  public func meets(_ requirement: AtomRequirement) -> Bool { self == .allowed }

  public var summary: StatusSummary { StatusSummary([self]) }
}

extension AtomState: PartedStatus {
  func state(of atom: Atom) -> AtomState? { self }
}

// MARK: - With parts

/// A built-in capability whose parts are the cases of an enumeration.
public protocol PartedCapability: BuiltInCapability where Requirement == PartRequirement<Self> {
  associatedtype Part: RawRepresentable<String> & CaseIterable & Hashable & Sendable
}

extension PartedCapability where Status == PartStatus<Self> {
  public func status(from facts: CapabilityFacts) -> Status {
    Status(Dictionary(uniqueKeysWithValues: Part.allCases.map { ($0, facts.decided.state(of: $0.rawValue)) }))
  }
}

/// A requirement for some parts of a capability.
public struct PartRequirement<C: PartedCapability>: CapabilityRequirement {
  public var parts: Set<C.Part>

  public init(_ parts: Set<C.Part>) { self.parts = parts }

  public init(atoms: Set<Atom>) {
    parts = Set(atoms.filter { $0.capability == C.definition.name }.compactMap { C.Part(rawValue: $0.name) })
  }

  public var atoms: Set<Atom> { Set(parts.map { Atom(C.definition.name, $0.rawValue) }) }
}

/// A status with one state for each part of a capability, because parts are allowed and denied separately.
public struct PartStatus<C: PartedCapability>: AuthorizationStatus {
  private let decided: [C.Part: AtomState]

  /// Creates a status. Parts without a state are undecided.
  public init(_ states: [C.Part: AtomState] = [:]) { decided = states.filter { $0.value != .undecided } }

  public subscript(part: C.Part) -> AtomState { decided[part, default: .undecided] }

  public func meets(_ requirement: PartRequirement<C>) -> Bool {
    requirement.parts.allSatisfy { self[$0] == .allowed }
  }

  public var summary: StatusSummary { StatusSummary(decided.values) }
  public var description: String { describe(C.Part.allCases.map { ($0.rawValue, self[$0]) }) }
}

extension PartStatus: PartedStatus {
  func state(of atom: Atom) -> AtomState? { C.Part(rawValue: atom.name).map { self[$0] } }
}
