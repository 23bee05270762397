import Machine
import PermModel

/// The decisions to read for a view, always including the first few about each capability.
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
struct StoreNeeds: Hashable, Sendable {
  /// The number of journal rows to read initially, and again whenever the selection gets near the last row.
  static let journalPage = 500
  /// All parts. The line-by-line dashboard needs them, because the next typed command could ask for any of them.
  static let everything = StoreNeeds(decisions: .all, journal: journalPage, operations: true)

  var decisions = DecisionScope.first
  /// The number of journal rows to read; 0 while the journal is not open.
  var journal = 0
  /// The text that is searched in the whole journal; empty if none is.
  var search = ""
  /// Whether the view of the operations is open.
  var operations = false
  /// Whether the view of the command lines is open.
  var commands = false
  /// The day whose requests are listed; `nil` while none is open.
  var day: DayNumber?

  /// Returns all parts, with the requests of a day.
  static func everything(of day: DayNumber) -> StoreNeeds {
    var needs = everything
    needs.day = day
    return needs
  }
}

/// The numbers of programs that are allowed or denied at least a part of a capability. A program that is allowed one
/// part and denied another counts in both numbers.
struct DecisionCounts: Hashable, Sendable {
  var allowed = 0
  var denied = 0

  subscript(verdict: Verdict) -> Int { verdict == .allow ? allowed : denied }
}
