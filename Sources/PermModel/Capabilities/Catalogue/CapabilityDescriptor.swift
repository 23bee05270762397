public import Operations

/// A type-erased capability, for use in lists, commands and alerts.
public struct CapabilityDescriptor: Sendable {
  public let definition: CapabilityDefinition
  private let make: @Sendable (Set<Atom>) -> any CapabilityType
  private let makeExample: @Sendable (Set<Atom>) -> CapabilityExample?

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - definition: The name, the words and the parts of the capability.
  ///   - make: Returns the capability with a requirement for the given atoms.
  public init(
    _ definition: CapabilityDefinition, make: @escaping @Sendable (Set<Atom>) -> any CapabilityType
  ) {
    self.init(definition, example: { make($0).example }, make: make)
  }

  /// Creates a descriptor of a capability whose example is already known. To look it up takes a tenth of a millisecond
  /// for each type of capability.
  init(
    _ definition: CapabilityDefinition, example: @escaping @Sendable (Set<Atom>) -> CapabilityExample?,
    make: @escaping @Sendable (Set<Atom>) -> any CapabilityType
  ) {
    self.definition = definition
    self.make = make
    makeExample = example
  }

  /// Returns a small job that demonstrates the capability with a requirement for these atoms; `nil` if there is none.
  package func example(asking atoms: Set<Atom>) -> CapabilityExample? { makeExample(atoms) }

  /// Returns the capability with a requirement for these atoms.
  package func capability(asking atoms: Set<Atom>) -> any CapabilityType { make(atoms) }

  /// Returns whether this machine has the data, device or service that the atoms are about.
  package func availability(
    for atoms: Set<Atom> = [], in environment: ProbeEnvironment
  ) async -> Availability {
    await make(atoms).availability(in: environment)
  }

  /// Returns a description of the access that a program gets on this machine if these atoms are allowed.
  package func explanation(for atoms: Set<Atom>, in environment: ProbeEnvironment) async -> String {
    await make(atoms).explanation(for: atoms, in: environment)
  }

  /// Returns the folders and files on which the availability depends.
  package func probedPaths(in environment: ProbeEnvironment) -> [String] {
    make([]).probedPaths(in: environment)
  }

  /// Returns the status in the capability's own terms, and whether the requirement for these atoms is met.
  package func status(for atoms: Set<Atom> = [], from facts: CapabilityFacts) -> StatusReport {
    StatusReport(make(atoms), facts)
  }
}

extension CapabilityDescriptor {
  /// Returns the condition ``AuthorizedFor`` for these atoms.
  public func authorized(
    for atoms: Set<Atom>, by authorizer: Authorizer? = nil, reason: String? = nil, patience: Duration? = nil
  ) -> any OperationCondition {
    if let wrong = definition.misfit(among: atoms) { return MisfitCondition(error: wrong) }
    func condition<C: CapabilityType>(_ capability: C) -> any OperationCondition {
      AuthorizedFor(capability, authorizer: authorizer, reason: reason, patience: patience)
    }
    return condition(capability(asking: atoms))
  }

  /// Returns an operation that does the work of ``Authorize`` for these atoms. Its output is a report on the
  /// resulting status.
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
      if let wrong = definition.misfit(among: atoms) { throw wrong }
      return try await ask(capability(asking: atoms), context)
    }
  }
}

/// A type-erased status.
public struct StatusReport: Hashable, Sendable {
  public var summary: StatusSummary
  /// The status in the capability's own terms, for example `when in use, precise`.
  public var words: String
  /// Whether the status meets the requirement for which the report was made.
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
