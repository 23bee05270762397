public import Operations

/// A type-erased capability, which lists, commands and alerts work with.
public struct CapabilityDescriptor: Sendable {
  public let definition: CapabilityDefinition
  private let make: @Sendable (Set<Atom>) -> any CapabilityType

  /// Describes a capability by the way to make a value of it for the requested atoms.
  public init(
    _ definition: CapabilityDefinition, make: @escaping @Sendable (Set<Atom>) -> any CapabilityType
  ) {
    self.definition = definition
    self.make = make
  }

  /// Returns the capability with a requirement of these atoms.
  package func capability(asking atoms: Set<Atom>) -> any CapabilityType { make(atoms) }

  /// Checks whether this machine has the things that the atoms are about.
  package func availability(
    for atoms: Set<Atom> = [], in environment: ProbeEnvironment
  ) async -> Availability {
    await make(atoms).availability(in: environment)
  }

  /// Explains the effect of allowing these atoms on this machine.
  package func explanation(for atoms: Set<Atom>, in environment: ProbeEnvironment) async -> String {
    await make(atoms).explanation(for: atoms, in: environment)
  }

  /// Returns the folders and files whose change can change the availability.
  package func probedPaths(in environment: ProbeEnvironment) -> [String] {
    make([]).probedPaths(in: environment)
  }

  /// Reports the status in the capability's own words, and whether the atoms' requirement is met.
  package func status(for atoms: Set<Atom> = [], from facts: CapabilityFacts) -> StatusReport {
    StatusReport(make(atoms), facts)
  }
}

extension CapabilityDescriptor {
  /// Returns ``AuthorizedFor`` for these atoms.
  public func authorized(
    for atoms: Set<Atom>, by authorizer: Authorizer? = nil, reason: String? = nil, patience: Duration? = nil
  ) -> any OperationCondition {
    func condition<C: CapabilityType>(_ capability: C) -> any OperationCondition {
      AuthorizedFor(capability, authorizer: authorizer, reason: reason, patience: patience)
    }
    return condition(capability(asking: atoms))
  }

  /// Returns ``Authorize`` for these atoms, with the status as a report.
  public func authorize(
    _ atoms: Set<Atom>, by authorizer: Authorizer? = nil, reason: String? = nil, patience: Duration? = nil
  ) -> some Operation<StatusReport> {
    @Sendable func ask<C: CapabilityType>(_ capability: C, _ context: OperationContext) async throws
      -> StatusReport
    {
      let ask = Authorize(capability, authorizer: authorizer, reason: reason, patience: patience)
      return StatusReport(try await ask.execute(context).status, capability.requirement)
    }
    return BlockOperation("Authorize(\(definition.reference(for: atoms)))") { context in
      try await ask(capability(asking: atoms), context)
    }
  }
}

/// A type-erased status.
public struct StatusReport: Hashable, Sendable {
  public var summary: StatusSummary
  /// The status in the capability's own terms, for example `when in use, precise`.
  public var words: String
  /// Whether the requirement in question is met.
  public var isMet: Bool

  init<C: CapabilityType>(_ capability: C, _ facts: CapabilityFacts) {
    self.init(capability.status(from: facts), capability.requirement)
  }

  init<Status: AuthorizationStatus>(_ status: Status, _ requirement: Status.Requirement) {
    summary = status.summary
    words = status.description
    isMet = status.meets(requirement)
  }
}
