/// How much harm a wrong yes can do. It decides how an alert asks.
public enum Severity: Int, Sendable, Codable, Comparable, CaseIterable {
  /// One key answers.
  case mild
  /// The alert as drawn in the documentation: deny has the focus, allow must be chosen.
  case moderate
  /// Allowing takes a typed word.
  case severe

  public static func < (lhs: Severity, rhs: Severity) -> Bool { lhs.rawValue < rhs.rawValue }
}
