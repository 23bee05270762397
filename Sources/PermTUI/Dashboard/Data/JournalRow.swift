import PermModel

/// One line of the journal.
struct JournalRow: Identifiable, Hashable, Sendable {
  /// The number that the store gave it; later ones are greater.
  var id: Int64
  var at: Timestamp
  /// What happened, as one word: `asked`, `allowed`, `denied`, `forgot`, …
  var kind: String
  /// The program that it is about, empty where it is about none. Foreign text.
  var program: String
  /// The program itself; `nil` where it is about none.
  var subject: Subject?
  /// What of which capability, for example `photos: read`; may be empty.
  var what: String
  /// By whom or what, and what else there is to say. May hold foreign text.
  var detail: String
}
