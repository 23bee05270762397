import PermModel

/// Something that waits for the person: a request, or an operation in line for the modal slot.
struct WaitingItem: Identifiable, Hashable, Sendable {
  /// The id of the alert that it is, or will be; for a request also the request's.
  var id: Alert.ID
  /// One line, for example `photos for thumbs`. Foreign text.
  var summary: String
  /// The request, where it is one.
  var request: Request?
  var askedAt: Timestamp
  /// What else it says, where it is no request. Foreign text.
  var message = ""
  /// What makes it suspicious who asks, each in a few words. Foreign text.
  var warnings: [String] = []
  /// Whether it cannot be allowed together with others.
  var isSuspicious = false
  /// Whether it waits at another dashboard, and not here.
  var isElsewhere = false
  /// The terminal on which its program asks about it itself.
  var terminal: String?
}
