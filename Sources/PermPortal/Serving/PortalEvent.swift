/// News from the other threads for the one that serves the bus.
enum PortalEvent: Sendable {
  /// The question of a dialogue has ended. Dialogues are numbered, because the portal may use a handle again.
  case ended(dialog: Int, RowRuling)
  /// Decisions in our store have changed.
  case decided
  /// The process is told to end.
  case stopped
}
