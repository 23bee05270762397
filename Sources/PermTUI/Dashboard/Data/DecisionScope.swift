import PermModel

/// The decisions that a view needs in addition to the first few about each capability.
enum DecisionScope: Hashable, Sendable {
  /// Only the first few decisions about each capability.
  case first
  case capability(String)
  case program(Subject)
  case all

  /// Returns whether data that was read for this scope includes everything that `other` requires.
  func covers(_ other: DecisionScope) -> Bool { self == .all || other == .first || self == other }
}

/// The parts of the store that the open view needs. No other part is read.
struct ReadingWish: Hashable, Sendable {
  /// The number of journal rows to read at first, and to add whenever the selection comes near the end.
  static let journalPage = 500
  /// The parts that the line-by-line dashboard needs: all of them, because any word might ask for anything.
  static let everything = ReadingWish(decisions: .all, journal: journalPage, operations: true)

  var decisions = DecisionScope.first
  /// The number of journal rows to read; 0 while the journal is not open.
  var journal = 0
  /// Whether the view of the operations is open.
  var operations = false
}

/// The numbers of programs that are allowed and that are denied at least a part of a capability. The same program can
/// count in both numbers.
struct DecisionCounts: Hashable, Sendable {
  var allowed = 0
  var denied = 0

  subscript(verdict: Verdict) -> Int { verdict == .allow ? allowed : denied }
}
