/// One named part of a capability: what an atom of it gives, in plain words.
public struct CapabilityPart: Hashable, Sendable {
  /// The name as it is written behind the colon, for example `reminders`.
  public var name: String
  /// What lists call it, for example `reminders`.
  public var title: String
  /// The end of the sentence "backup asks to …", for example `read your reminders`.
  public var action: String
  /// What a yes gives, in a sentence.
  public var explanation: String
  /// Names of the parts that a yes to this one allows as well.
  public var implies: Set<String>
  /// How much harm a wrong yes can do, where that differs from the rest of the capability.
  public var severity: Severity?

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

/// How much harm a wrong yes can do. It decides how an alert asks.
public enum Severity: String, Sendable, Codable, Comparable, CaseIterable {
  /// One key answers.
  case mild
  /// The alert as drawn in the documentation: deny has the focus, allow must be chosen.
  case moderate
  /// Allowing takes a typed word.
  case severe

  public static func < (lhs: Severity, rhs: Severity) -> Bool { lhs.rank < rhs.rank }

  /// Its place among the severities, the mildest first.
  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
