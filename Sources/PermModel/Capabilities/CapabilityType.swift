/// Something that a program can be allowed to use, together with the extent to which the program requests it.
///
/// A capability is only a description, and never prompts. Prompting is the task of an ``Authorizer``, which the
/// operation ``Authorize`` uses. A capability type of your own only needs a definition and a requirement. By default,
/// the status of such a capability is a ``StandardStatus``, and the capability is always reported as available.
public protocol CapabilityType<Status>: Sendable {
  associatedtype Requirement: CapabilityRequirement = AtomRequirement
  associatedtype Status: AuthorizationStatus = StandardStatus<Requirement>
  where Status.Requirement == Requirement

  /// The capability's names, parts and wording. They are the same for every value of the type, unless they
  /// are passed to the type's initializer.
  var definition: CapabilityDefinition { get }

  /// The requested extent of the capability.
  var requirement: Requirement { get }

  /// Returns whether this machine has the data, device or service that the capability is about.
  ///
  /// An implementation must be quick, look only at files, start no process, and stop early if its task is cancelled.
  func availability(in environment: ProbeEnvironment) async -> Availability

  /// Returns the folders and files on which the availability depends. They need not exist.
  func probedPaths(in environment: ProbeEnvironment) -> [String]

  /// Returns the status that follows from the facts, expressed in the capability's own states.
  func status(from facts: CapabilityFacts) -> Status

  /// Returns a description of the access that a program gets on this machine if these atoms are allowed, for
  /// example `All 1 204 files in ~/Pictures.`
  func explanation(for atoms: Set<Atom>, in environment: ProbeEnvironment) async -> String
}

/// A capability that can be demonstrated by a small job.
package protocol CapabilityWithExample {
  /// A small job that demonstrates the capability; `nil` if there is none for this requirement.
  var example: CapabilityExample? { get }
}

/// A small job that needs the capability. It does real work and reports its result in words.
package struct CapabilityExample: Sendable {
  /// The job, written as an instruction, for example `Count the pictures`.
  package let title: String
  private let work: @Sendable (ProbeEnvironment) async throws -> String

  package init(_ title: String, work: @escaping @Sendable (ProbeEnvironment) async throws -> String) {
    self.title = title
    self.work = work
  }

  /// Runs the job without asking for permission. The caller must have made sure that the job is allowed.
  package func run(in environment: ProbeEnvironment) async throws -> String { try await work(environment) }
}

/// The facts from which a capability's status is derived. A test makes them with `PermModelTesting`.
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
  package var example: CapabilityExample? { (self as? any CapabilityWithExample)?.example }

  public func explanation(for atoms: Set<Atom>, in environment: ProbeEnvironment) async -> String {
    definition.explanation(for: atoms)
  }
}

extension CapabilityType where Status == StandardStatus<Requirement> {
  public func status(from facts: CapabilityFacts) -> Status {
    let atoms = Set(definition.atoms).union(requirement.atoms)
    return StandardStatus(facts.decided.states(of: atoms))
  }
}

/// A namespace for the capabilities that every installation has, for example `Capability.Calendar(.reminders)`.
public enum Capability {}
