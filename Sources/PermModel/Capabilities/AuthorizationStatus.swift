/// The current status of one capability for one program, expressed in the capability's own states.
///
/// If one status allows more than another, it must meet every requirement that the other meets. A status that meets a
/// requirement must also meet every requirement that asks for less.
public protocol AuthorizationStatus: Hashable, Sendable, CustomStringConvertible {
  associatedtype Requirement: CapabilityRequirement

  /// Whether everything that the requirement asks for is allowed.
  func meets(_ requirement: Requirement) -> Bool

  /// The status in one word, for display in lists.
  var summary: StatusSummary { get }
}

/// A one-word status. The possible words are the same for every capability.
public enum StatusSummary: String, Sendable, Codable, CaseIterable {
  case undecided, restricted, denied, allowed
  /// Part of the capability is allowed, and part is not.
  case mixed

  /// Creates the summary of several states: allowed if all of them are allowed, mixed if only some are,
  /// denied if none is allowed but at least one is denied, and restricted if all are restricted.
  ///
  /// Undecided states are ignored unless all states are undecided.
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
  public var description: String { rawValue }
}
