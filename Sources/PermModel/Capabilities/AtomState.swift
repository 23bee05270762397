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
