import PermModel

/// Which decisions a view needs, beyond the first few about each capability.
enum DecisionScope: Hashable, Sendable {
  /// No more than those.
  case first
  case capability(String)
  case program(Subject)
  case all

  /// Whether whoever has read this has all that `other` asks for.
  func covers(_ other: DecisionScope) -> Bool { self == .all || other == .first || self == other }
}

/// What the open view needs read of the store. Everything else is left unread.
struct ReadingWish: Hashable, Sendable {
  /// How many lines of the journal are read at first, and more each time the person comes near the end.
  static let journalPage = 500
  /// What is read line by line, where any word may ask for anything.
  static let everything = ReadingWish(decisions: .all, journal: journalPage, operations: true)

  var decisions = DecisionScope.first
  /// How many lines of the journal; 0 while nobody looks at it.
  var journal = 0
  /// Whether the operations are looked at.
  var operations = false
}

/// How many programs have something of a capability allowed, and denied. A program may count on both sides.
struct DecisionCounts: Hashable, Sendable {
  var allowed = 0
  var denied = 0

  subscript(verdict: Verdict) -> Int {
    get { verdict == .allow ? allowed : denied }
    set { if verdict == .allow { allowed = newValue } else { denied = newValue } }
  }
}
