/// Something that a program may be allowed to use, together with the extent that is meant.
///
/// A capability is a description; it never prompts. Asking is done by an ``Authorizer`` inside
/// ``Authorize``. A type of your own needs a definition and a requirement; the states of
/// ``StandardStatus`` and a probe that always says *available* are supplied.
public protocol CapabilityType<Status>: Sendable {
  associatedtype Requirement: CapabilityRequirement = AtomRequirement
  associatedtype Status: AuthorizationStatus = StandardStatus<Requirement>
  where Status.Requirement == Requirement

  /// The names, parts and words, the same for every value of the type unless the type takes them as input.
  var definition: CapabilityDefinition { get }

  /// The requested extent of the capability.
  var requirement: Requirement { get }

  /// Checks whether this machine has the data, device or service that the capability is about.
  ///
  /// A probe is quick, only looks at files, stops early when its task is cancelled, and does not start a process.
  func availability(in environment: ProbeEnvironment) async -> Availability

  /// The folders and files whose changes can affect the availability. They need not exist.
  func probedPaths(in environment: ProbeEnvironment) -> [String]

  /// Returns the decisions in terms of the capability's own states.
  func status(from facts: CapabilityFacts) -> Status

  /// Returns the access that allowing these atoms grants on this machine, for example `All 1 204 files in ~/Pictures.`
  func explanation(for atoms: Set<Atom>, in environment: ProbeEnvironment) async -> String
}

/// A capability that can be tried on this machine.
package protocol ExemplaryCapability {
  /// A small job that demonstrates the capability; `nil` if this requirement has none.
  var example: CapabilityExample? { get }
}

/// A small job that a capability allows. It does real work, and reports the result in words.
package struct CapabilityExample: Sendable {
  /// The job as an instruction, for example `Count the pictures`.
  package let title: String
  private let work: @Sendable (ProbeEnvironment) async throws -> String

  package init(_ title: String, work: @escaping @Sendable (ProbeEnvironment) async throws -> String) {
    self.title = title
    self.work = work
  }

  /// Runs the job. It does not ask for permission: the caller has made sure that the job is allowed.
  package func run(in environment: ProbeEnvironment) async throws -> String { try await work(environment) }
}

/// The facts from which a status is made.
public struct CapabilityFacts: Hashable, Sendable {
  public var decided: DecidedAtoms
  public var availability: Availability

  package init(decided: DecidedAtoms, availability: Availability) {
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

  /// A small job that demonstrates the capability on this machine; `nil` if there is none.
  package var example: CapabilityExample? { (self as? any ExemplaryCapability)?.example }

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
