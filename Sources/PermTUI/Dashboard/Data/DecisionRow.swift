import PermModel

/// Decisions that were made together: one program, one capability, one answer for some of its atoms.
struct DecisionRow: Identifiable, Hashable, Sendable {
  /// Identifies the row as long as it is about the same program and atoms, with any answer.
  struct ID: Hashable, Sendable {
    var subject: Subject
    var capability: String
    var atoms: [Atom]
  }

  var id: ID
  var verdict: Verdict
  var lifetime: Lifetime
  var origin: Origin
  var note: String?
  var decidedAt: Timestamp
  var lastUsed: Timestamp?

  var subject: Subject { id.subject }
  var capability: String { id.capability }
  var atoms: [Atom] { id.atoms }

  /// The moment at which it ends by the wall clock; `nil` if it ends for another reason, or never.
  var end: Timestamp? {
    if case .until(let deadline) = lifetime { deadline.wall } else { nil }
  }

  /// Returns whether it still counts at `moment`, as far as a clock can tell.
  ///
  /// Swift 6.3 crashes when it optimizes this inside the loop that calls it.
  @inline(never)
  func holds(at moment: Timestamp) -> Bool { end.map { moment < $0 } ?? true }
}

extension DecisionRow {
  /// Joins decisions that differ only in their atom. The order of the first of each is kept.
  ///
  /// - Complexity: O(*n*).
  static func rows(of decisions: [Decision]) -> [DecisionRow] {
    var places: [Decision: Int] = [:]
    var rows: [DecisionRow] = []
    rows.reserveCapacity(decisions.count)
    for decision in decisions {
      var key = decision
      key.atom = Atom(decision.atom.capability)
      key.lastUsed = nil
      if let place = places[key] {
        rows[place].add(decision)
      } else {
        places[key] = rows.count
        rows.append(DecisionRow(decision))
      }
    }
    return rows
  }

  private init(_ decision: Decision) {
    self.init(
      id: ID(subject: decision.subject, capability: decision.atom.capability, atoms: [decision.atom]),
      verdict: decision.verdict, lifetime: decision.lifetime, origin: decision.origin, note: decision.note,
      decidedAt: decision.decidedAt, lastUsed: decision.lastUsed)
  }

  private mutating func add(_ decision: Decision) {
    id.atoms.append(decision.atom)
    id.atoms.sort()
    lastUsed = [lastUsed, decision.lastUsed].compactMap(\.self).max()
  }
}
