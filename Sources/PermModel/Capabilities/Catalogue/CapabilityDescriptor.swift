/// A capability without its type: what lists, commands and alerts work with.
public struct CapabilityDescriptor: Sendable {
  /// Where a capability comes from.
  public enum Source: Hashable, Sendable {
    case builtIn
    /// The user's configuration.
    case configuration
  }

  public let definition: CapabilityDefinition
  public let source: Source
  private let make: @Sendable (Set<Atom>) -> any CapabilityType

  /// Describes a capability by how a value of it is made for the atoms that are asked for.
  public init(
    _ definition: CapabilityDefinition, source: Source = .builtIn,
    make: @escaping @Sendable (Set<Atom>) -> any CapabilityType
  ) {
    self.definition = definition
    self.source = source
    self.make = make
  }

  /// The capability with a requirement of these atoms.
  public func capability(asking atoms: Set<Atom>) -> any CapabilityType { make(atoms) }

  /// Looks whether this machine has what the atoms are about.
  public func availability(
    for atoms: Set<Atom> = [], in environment: ProbeEnvironment
  ) async -> Availability {
    await make(atoms).availability(in: environment)
  }

  /// What a yes to these atoms gives on this machine.
  public func explanation(for atoms: Set<Atom>, in environment: ProbeEnvironment) async -> String {
    await make(atoms).explanation(for: atoms, in: environment)
  }

  /// Folders and files whose change can change the availability.
  public func probedPaths(in environment: ProbeEnvironment) -> [String] {
    make([]).probedPaths(in: environment)
  }

  /// What holds, in the capability's own words, and whether the atoms' requirement is met.
  public func status(for atoms: Set<Atom> = [], from facts: CapabilityFacts) -> StatusReport {
    StatusReport(make(atoms), facts)
  }
}

/// A status without its type.
public struct StatusReport: Hashable, Sendable {
  public var summary: StatusSummary
  /// In the capability's own states, for example `when in use, precise`.
  public var words: String
  /// Whether the requirement that was asked about is met.
  public var isMet: Bool

  init<C: CapabilityType>(_ capability: C, _ facts: CapabilityFacts) {
    let status = capability.status(from: facts)
    summary = status.summary
    words = status.description
    isMet = status.meets(capability.requirement)
  }
}
