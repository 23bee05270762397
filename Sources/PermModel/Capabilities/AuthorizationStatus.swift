/// What holds now for one program and one capability, in the capability's own states.
///
/// Meeting is inclusion: a status that allows more meets at least the same requirements, and who meets a
/// requirement meets every smaller one.
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

  /// The word for several states together: the one that they share, else mixed as soon as one allows.
  ///
  /// What has not been asked says nothing beside what has been answered.
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
