/// The smallest thing that can be allowed or denied: one named part of one capability.
///
/// A requirement is a set of atoms. A decision applies to one program and one atom. An atom is written as
/// `capability:name`, for example `calendar:reminders`. A capability without parts has one atom, named `use`.
public struct Atom: Hashable, Sendable, Codable {
  /// The capability's name, for example `calendar`.
  public var capability: String

  /// The part's name, for example `reminders`.
  public var name: String

  /// The name that stands for the whole capability, if the capability has no parts.
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

/// The current state of one atom for one program.
public enum AtomState: String, Sendable, Codable, CaseIterable {
  /// Not decided yet. If a program requests the atom, the person is asked.
  case undecided
  /// Forbidden by the machine's policy. The person is not asked, and no answer can change the state.
  case restricted
  case denied
  case allowed
}

extension AtomState: CustomStringConvertible {
  public var description: String { self == .undecided ? "not asked" : rawValue }
}
