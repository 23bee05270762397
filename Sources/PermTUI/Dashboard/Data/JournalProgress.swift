import PermModel

/// How far a search in the journal has come.
struct JournalProgress: Hashable, Sendable {
  var text: String
  /// The time of the oldest entry that was looked at; `nil` before the first.
  var reached: Timestamp?
  /// Whether all entries were looked at.
  var isWhole: Bool
  /// Whether the search goes on.
  var goesOn: Bool
}

/// The text of a filter, as it is looked for in rows. They show paths with `~`, but a person can also type a whole path.
struct SearchWords: Hashable, Sendable {
  private let needles: [String]

  init(_ filter: String) {
    needles = [filter, HomeFolder.shortened(filter)].map { $0.lowercased() }
  }

  func isIn(_ text: String) -> Bool {
    let text = text.lowercased()
    return needles.contains { text.contains($0) }
  }
}
