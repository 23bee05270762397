/// The smallest thing that can be allowed or denied: one named part of one capability.
///
/// A requirement is a set of atoms, and a decision is kept for each program, capability and atom. Written as
/// `capability:name`, for example `calendar:reminders`. A capability without parts has one atom, named `use`.
public struct Atom: Hashable, Sendable, Codable {
  /// The capability's name, for example `calendar`.
  public var capability: String

  /// The part's name, for example `reminders`.
  public var name: String

  /// The part's name where a capability has only one.
  public static let whole = "use"

  public init(_ capability: String, _ name: String = Atom.whole) {
    self.capability = capability
    self.name = name
  }
}

extension Atom: CustomStringConvertible {
  public var description: String {
    name == Atom.whole ? capability : "\(capability):\(name)"
  }
}

extension Atom: Comparable {
  public static func < (lhs: Atom, rhs: Atom) -> Bool {
    (lhs.capability, lhs.name) < (rhs.capability, rhs.name)
  }
}

/// What holds now for one program and one atom.
public enum AtomState: String, Sendable, Codable, CaseIterable {
  /// Nobody has answered yet; a request would ask.
  case undecided
  /// The machine's policy forbids it; nobody is asked, and no answer changes it.
  case restricted
  case denied
  case allowed
}

extension AtomState: CustomStringConvertible {
  public var description: String { self == .undecided ? "not asked" : rawValue }
}
