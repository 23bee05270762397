/// One named part of a capability, with its description in plain words.
public struct CapabilityPart: Hashable, Sendable {
  /// The part's name, which follows the colon in a reference, for example `reminders`.
  package var name: String
  /// The part's title in lists, for example `reminders`.
  package var title: String
  /// The words that complete the sentence "backup asks to …", for example `read your reminders`.
  package var action: String
  /// A sentence that says what access a program gets if this part is allowed.
  package var explanation: String
  /// The names of the parts that are also allowed when this part is allowed.
  package var implies: Set<String>
  /// The part's own severity; `nil` if the part has the severity of the capability. A severity lower than the
  /// capability's has no effect.
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

/// The amount of harm that can result from wrongly allowing something. It determines the form of the alert.
public enum Severity: String, Sendable, Codable, Comparable, CaseIterable {
  /// Little harm. The alert can be answered without typing a word.
  case mild
  /// Some harm. The alert is answered in the same way as for ``mild``.
  case moderate
  /// Great harm. Allowing requires typing a word.
  case severe

  public static func < (lhs: Severity, rhs: Severity) -> Bool { lhs.rank < rhs.rank }

  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
