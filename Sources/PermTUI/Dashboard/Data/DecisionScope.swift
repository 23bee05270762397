import PermModel

/// The decisions that a view needs beyond the first few about each capability.
enum DecisionScope: Hashable, Sendable {
  /// Only those first few.
  case first
  case capability(String)
  case program(Subject)
  case all

  /// Returns whether a reading of this scope includes everything that `other` asks for.
  func covers(_ other: DecisionScope) -> Bool { self == .all || other == .first || self == other }
}

/// The parts of the store that the open view needs. Everything else is left unread.
struct ReadingWish: Hashable, Sendable {
  /// The number of journal lines that are read at first, and each time the person comes near the end.
  static let journalPage = 500
  /// The wish of a line-by-line dashboard, in which any word may ask for anything.
  static let everything = ReadingWish(decisions: .all, journal: journalPage, operations: true)

  var decisions = DecisionScope.first
  /// The number of journal lines; 0 while nobody looks at the journal.
  var journal = 0
  /// Whether the operations are on the screen.
  var operations = false
}

/// The number of programs that are allowed something of a capability, and denied. A program may count on both sides.
struct DecisionCounts: Hashable, Sendable {
  var allowed = 0
  var denied = 0

  subscript(verdict: Verdict) -> Int { verdict == .allow ? allowed : denied }
}
