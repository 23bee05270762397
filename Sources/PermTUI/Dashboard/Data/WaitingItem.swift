import PermModel

/// Something that waits for the person: a request, or an operation in line for the modal slot.
struct WaitingItem: Identifiable, Hashable, Sendable {
  /// The id of its alert, present or future; for a request also the request's id.
  var id: Alert.ID
  /// One line, for example `photos for thumbs`. Foreign text.
  var summary: String
  /// The request, if it is one.
  var request: Request?
  var askedAt: Timestamp
  /// The rest of its text, if it is not a request. Foreign text.
  var message = ""
  /// The reasons to be suspicious of the program, each in a few words. Foreign text.
  var warnings: [String] = []
  /// Whether it cannot be allowed together with others.
  var isSuspicious = false
  /// Whether it waits at another dashboard, and not here.
  var isElsewhere = false
  /// The terminal on which the program itself asks about the request.
  var terminal: String?
}
