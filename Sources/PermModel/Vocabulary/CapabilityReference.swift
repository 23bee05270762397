/// A capability and some of its parts, as a command names them, for example `calendar:reminders`.
package struct CapabilityReference: Hashable, Sendable {
  package var capability: String
  package var atoms: Set<Atom>

  /// The greatest number of values of one part in a request.
  package static let mostValues = 32

  package init(capability: String, atoms: Set<Atom>) {
    self.capability = capability
    self.atoms = atoms
  }
}

extension CapabilityReference: CustomStringConvertible {
  /// The form in which commands accept the reference, with the parts sorted by name.
  package var description: String { Self.text(capability, parts: atoms.map(\.text).sorted()) }

  static func text(_ capability: String, parts: [String]) -> String {
    parts.isEmpty || parts == [Atom.whole] ? capability : "\(capability):\(parts.joined(separator: ","))"
  }
}

/// The reason why a string is not a valid reference to a capability.
public enum CapabilityReferenceError: Error, Hashable {
  case unknownCapability(String, suggestion: String?)
  case unknownPart(String, of: String, suggestion: String?, known: [String])
  /// A part was named, but the capability has no parts.
  case noParts(of: String)
  /// No part was named, but the capability can only be requested by its parts.
  case partMissing(of: String, example: String)
  /// A name is missing between two commas, after the colon, or next to the `@`.
  case emptyPart(in: String)
  /// No value was given, although the part can only be requested for values. `everything` is the reference for all
  /// values, and `action` completes the sentence "lets a program …".
  case valueMissing(of: String, example: String, everything: String, action: String)
  /// A value was given for a part that takes none.
  case noValues(of: String)
  case wrongValue(ScopeError, in: String)
}

extension CapabilityReferenceError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownCapability(let name, let suggestion):
      "there is no capability \"\(VisibleText.brief(name))\"; "
        + (suggestion.map { "did you mean \"\($0)\"?" } ?? "permtui capabilities lists them")
    case .unknownPart(let part, let capability, let suggestion, let known):
      "\(capability) has no part \"\(VisibleText.brief(part))\"; "
        + (suggestion.map { "did you mean \"\(capability):\($0)\"?" } ?? "it has \(known.joinedInWords())")
    case .noParts(let capability):
      "\(capability) has no parts; write just \"\(capability)\""
    case .partMissing(let capability, let example):
      "say what of \(capability), for example \"\(example)\""
    case .emptyPart(let text):
      "a part is missing in \"\(VisibleText.brief(text))\"; parts are written like \"calendar:events,reminders\""
    case .valueMissing(let text, let example, let everything, let action):
      "\(text) needs a value, for example \"\(example)\"; \"\(everything)\" would let a program \(action)"
    case .noValues(let part): "\(part) takes no value; leave out everything after it from @ on"
    case .wrongValue(let error, let text): "\"\(VisibleText.brief(text))\": \(error)"
    }
  }
}
