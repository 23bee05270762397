/// Something that a program may be allowed to use, together with how much of it is meant.
///
/// A capability is a value that describes; it never prompts. Asking is done by an ``Authorizer`` inside
/// ``Authorize``. A type of your own needs a definition and a requirement; the states of
/// ``StandardStatus`` and a probe that always says *available* are supplied.
public protocol CapabilityType<Status>: Sendable {
  associatedtype Requirement: CapabilityRequirement = AtomRequirement
  associatedtype Status: AuthorizationStatus = StandardStatus<Requirement>
  where Status.Requirement == Requirement

  /// Names, parts and words, the same for every value of the type unless the type takes them as input.
  var definition: CapabilityDefinition { get }

  /// How much of it is asked for.
  var requirement: Requirement { get }

  /// Looks whether this machine has what it is about.
  ///
  /// A probe only looks at files, quickly, stops early when its task is cancelled, and starts no process.
  func availability(in environment: ProbeEnvironment) async -> Availability

  /// Folders and files whose change can change the availability. They need not exist.
  func probedPaths(in environment: ProbeEnvironment) -> [String]

  /// What the decisions mean in the capability's own states.
  func status(from facts: CapabilityFacts) -> Status

  /// What a yes gives on this machine, for example `All 1 204 files in ~/Pictures.`
  func explanation(for atoms: Set<Atom>, in environment: ProbeEnvironment) async -> String

  /// A small job that shows on this machine what the capability is good for; `nil` where there is none.
  var example: CapabilityExample? { get }
}

/// A small job that a capability allows: it really does it, and says in words what came of it.
public struct CapabilityExample: Sendable {
  /// What the job does, for example `Count the pictures`.
  public let title: String
  private let work: @Sendable (ProbeEnvironment) async throws -> String

  public init(_ title: String, work: @escaping @Sendable (ProbeEnvironment) async throws -> String) {
    self.title = title
    self.work = work
  }

  /// Does the job. It asks nobody: whoever runs it has made sure that it is allowed.
  public func run(in environment: ProbeEnvironment) async throws -> String { try await work(environment) }
}

/// What a status is made of.
public struct CapabilityFacts: Hashable, Sendable {
  public var decided: DecidedAtoms
  public var availability: Availability

  public init(decided: DecidedAtoms, availability: Availability) {
    self.decided = decided
    self.availability = availability
  }
}

extension CapabilityType {
  /// The name in commands and decisions, for example `calendar`.
  public var name: String { definition.name }

  public func availability(in environment: ProbeEnvironment) async -> Availability {
    .available(found: "")
  }

  public func probedPaths(in environment: ProbeEnvironment) -> [String] { [] }

  public var example: CapabilityExample? { nil }

  public func explanation(for atoms: Set<Atom>, in environment: ProbeEnvironment) async -> String {
    definition.explanation(for: atoms)
  }
}

extension CapabilityType where Status == StandardStatus<Requirement> {
  public func status(from facts: CapabilityFacts) -> Status {
    let atoms = Set(definition.atoms).union(requirement.atoms)
    return StandardStatus(states: facts.decided.states(of: atoms))
  }
}

/// The capabilities that every installation knows: `Capability.Calendar(.reminders)` and so on.
public enum Capability {}
