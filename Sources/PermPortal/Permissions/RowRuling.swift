/// The ruling for a row of the desktop's store. It follows from a person's answer or from decisions.
enum RowRuling: Hashable, Sendable {
  case allow
  /// A smaller use than the whole one.
  case lesser
  case deny
  /// There is no answer and no decision.
  case open
}
