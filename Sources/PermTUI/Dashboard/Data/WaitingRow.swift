import PermModel

/// A request that waits for the person, or another alert in line for the modal slot.
struct WaitingRow: Identifiable, Hashable, Sendable {
  /// The id of the item's alert, even before that alert exists. For a request, this is also the request's id.
  var id: Alert.ID
  /// The title of an item that is not a request. Untrusted text from another program.
  var title = ""
  /// The request; `nil` if the item is not a request.
  var request: Request?
  var askedAt: Timestamp
  /// Whether the item only tells the person something, and needs no answer.
  var isNotice = false
  /// The text below the summary if the item is not a request. Untrusted text from another program.
  var message = ""
  /// The reasons to be suspicious of the program, each in a few words. Untrusted text from another program.
  var warnings: [String] = []
  /// Whether the item cannot be allowed together with others, because its program is suspicious.
  var isSuspicious = false
  /// Whether the item waits at another dashboard instead of this one.
  var isElsewhere = false
  /// Whether a person has set the request aside, at this dashboard or another one.
  var isSetAside = false
  /// The terminal on which the program itself asks the person about the request; `nil` if it does not.
  var terminal: String?

  /// One line that describes the item, for example `photos for thumbs`. Untrusted text from another program.
  var summary: String { request?.summary ?? title }
  /// Whether a program of this machine asks.
  var isOfThisMachine: Bool { id.machine.isEmpty }
}
