/// The current status of one capability for one program, in the capability's own states.
///
/// A status that allows more meets at least the same requirements, and one that meets a requirement meets every smaller
/// one.
public protocol AuthorizationStatus: Hashable, Sendable, CustomStringConvertible {
  associatedtype Requirement: CapabilityRequirement

  /// Whether everything that the requirement asks for is allowed.
  func meets(_ requirement: Requirement) -> Bool

  /// The status in one word, for a list.
  var summary: StatusSummary { get }
}

/// A status in one word, the same for every capability.
public enum StatusSummary: String, Sendable, Codable, CaseIterable {
  case undecided, restricted, denied, allowed
  /// Part of it is allowed, and part is not.
  case mixed

  /// Creates the word for several states: allowed if all are, mixed if only some are, else denied or restricted.
  ///
  /// Undecided states count only if there are no others.
  public init(_ states: some Sequence<AtomState>) {
    let answers = Set(states).subtracting([.undecided])
    if answers.contains(.allowed) {
      self = answers.count == 1 ? .allowed : .mixed
    } else if answers.contains(.denied) {
      self = .denied
    } else {
      self = answers.contains(.restricted) ? .restricted : .undecided
    }
  }
}

extension StatusSummary: CustomStringConvertible {
  public var description: String { self == .undecided ? "not asked" : rawValue }
}
