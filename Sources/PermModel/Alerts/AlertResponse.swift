/// The outcome of an alert that was shown.
public enum AlertResponse: Hashable, Sendable {
  /// The person has answered a request.
  case answered(Answer)
  /// The person has confirmed an action; ``refused`` means that the person has refused it.
  case confirmed, refused
  /// The person has read a notice.
  case acknowledged
  /// The person will answer later; the asker keeps waiting, and the slot is free for the next alert.
  case setAside
  /// The alert ended without an answer. Therefore nothing is allowed, and no decision is stored.
  case dismissed
}
