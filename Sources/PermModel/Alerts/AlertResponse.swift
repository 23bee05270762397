/// The outcome of an alert that was shown.
public enum AlertResponse: Hashable, Sendable {
  /// A request was answered.
  case answered(Answer)
  /// A confirmation was confirmed or refused.
  case confirmed, refused
  /// A notice was read.
  case acknowledged
  /// The person will answer later; the asker keeps waiting, and the slot is free for the next alert.
  case setAside
  /// The alert ended without an answer. It allows nothing and stores nothing.
  case dismissed
}
