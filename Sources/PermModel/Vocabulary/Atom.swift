/// The smallest thing that can be allowed or denied: one named part of one capability, for all values or for some.
///
/// A requirement is a set of atoms. A decision applies to one program and one atom. An atom is written as
/// `capability:name`, for example `calendar:reminders`, or as `capability:name@scope`, for example
/// `files:read@/srv/music/`. A capability without parts has one atom, named `use`.
public struct Atom: Hashable, Sendable, Codable {
  /// The capability's name, for example `calendar`.
  public var capability: String

  /// The part's name, for example `reminders`.
  public var name: String

  /// The name that stands for the whole capability, if the capability has no parts.
  public static let whole = "use"

  /// The values that are asked for or decided.
  public var scope: Scope

  public init(_ capability: String, _ name: String = Atom.whole) {
    self.init(capability, name, .any)
  }

  public init(_ capability: String, _ name: String, _ scope: Scope) {
    self.capability = capability
    self.name = name
    self.scope = scope
  }

  /// The name, followed by `@` and the scope if the atom is not for all values.
  package var text: String { scope == .any ? name : "\(name)@\(scope.text)" }
}

extension Atom {
  private enum CodingKeys: CodingKey {
    case capability, name, scope
  }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try fields.decode(String.self, forKey: .capability),
      written: try fields.decode(String.self, forKey: .name))
    if let scope = try fields.decodeIfPresent(Scope.self, forKey: .scope) { self.scope = scope }
  }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(capability, forKey: .capability)
    try fields.encode(name, forKey: .name)
    if scope != .any { try fields.encode(scope, forKey: .scope) }
  }

  /// Creates an atom from a name in which earlier versions kept a container, as in `read@nas`.
  package init(_ capability: String, written name: String) {
    guard let sign = name.firstIndex(of: "@") else {
      self.init(capability, name)
      return
    }
    self.init(capability, String(name[..<sign]), .name(String(name[name.index(after: sign)...])))
  }
}

extension Atom: CustomStringConvertible {
  public var description: String {
    name == Atom.whole && scope == .any ? capability : "\(capability):\(text)"
  }
}

extension Atom: Comparable {
  public static func < (lhs: Atom, rhs: Atom) -> Bool {
    if (lhs.capability, lhs.name) != (rhs.capability, rhs.name) {
      return (lhs.capability, lhs.name) < (rhs.capability, rhs.name)
    }
    return lhs.scope.key.lexicographicallyPrecedes(rhs.scope.key)
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
  public var description: String { rawValue }
}
