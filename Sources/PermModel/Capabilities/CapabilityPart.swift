/// One named part of a capability, with its description in plain words.
public struct CapabilityPart: Hashable, Sendable {
  /// The name after the colon, for example `reminders`.
  package var name: String
  /// The title in lists, for example `reminders`.
  package var title: String
  /// The end of the sentence "backup asks to …", for example `read your reminders`.
  package var action: String
  /// The access that allowing it grants, in a sentence.
  package var explanation: String
  /// The names of the parts that are allowed together with this one.
  package var implies: Set<String>
  /// How much harm wrongly allowing it can do, if that differs from the rest of the capability.
  package var severity: Severity?

  public init(
    _ name: String, title: String? = nil, action: String, explanation: String = "",
    implies: Set<String> = [], severity: Severity? = nil
  ) {
    self.name = name
    self.title = title ?? name
    self.action = action
    self.explanation = explanation
    self.implies = implies
    self.severity = severity
  }
}

/// How much harm wrongly allowing something can do. It decides how an alert asks.
public enum Severity: String, Sendable, Codable, Comparable, CaseIterable {
  /// A single key answers.
  case mild
  /// The alert as drawn in the documentation: deny has the focus, and allow must be selected.
  case moderate
  /// Allowing requires typing a word.
  case severe

  public static func < (lhs: Severity, rhs: Severity) -> Bool { lhs.rank < rhs.rank }

  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
