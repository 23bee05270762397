/// What may stand in a row of the desktop's store: a person's answer, or what decisions say.
enum RowRuling: Hashable, Sendable {
  case allow
  /// A smaller use than the whole one.
  case lesser
  case deny
  /// Nobody has answered.
  case open
}
