import PermModel

/// Decisions that were made together: one program, one capability, one answer for some of its atoms.
struct DecisionRow: Identifiable, Hashable, Sendable {
  /// Identifies a row by its program, capability and atoms. A new answer does not change the id.
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

  /// The wall-clock time at which the decision ends; `nil` if it does not end at a fixed time.
  ///
  /// It is never inlined, because the Swift 6.3 compiler crashes when it optimizes a loop over the ends of decisions.
  var end: Timestamp? {
    @inline(never)
    get { if case .until(let deadline) = lifetime { deadline.wall } else { nil } }
  }

  /// Returns whether the decision is in effect at `moment`. Only an end at a fixed time is considered.
  @inline(never)
  func holds(at moment: Timestamp) -> Bool { end.map { moment < $0 } ?? true }

  /// Whether this is an allow of which no part was used since a moment.
  func isUnused(since limit: Timestamp) -> Bool { decisions.allSatisfy { $0.isUnused(since: limit) } }
}

extension DecisionRow {
  /// Returns one row for each group of decisions that differ only in their atoms and last uses. The rows are in the
  /// order of the first decision in each group.
  ///
  /// - Complexity: O(*n*).
  static func rows(of decisions: [Decision]) -> [DecisionRow] {
    var places: [Moment: [Int]] = [:]
    var rows: [DecisionRow] = []
    rows.reserveCapacity(decisions.count)
    for decision in decisions {
      let moment = Moment(label: decision.subject.label, decidedAt: decision.decidedAt)
      if let place = places[moment]?.first(where: { rows[$0].includes(decision) }) {
        rows[place].add(decision)
      } else {
        places[moment, default: []].append(rows.count)
        rows.append(DecisionRow(decision))
      }
    }
    return rows
  }

  /// The properties that tell nearly all rows apart. Hashing and copying whole decisions would take longer than comparing
  /// the few that share them.
  private struct Moment: Hashable {
    let label: String
    let decidedAt: Timestamp
  }

  /// Whether the decision differs from those of this row only in its atom and its last use.
  private func includes(_ decision: Decision) -> Bool {
    decidedAt == decision.decidedAt && capability == decision.atom.capability && verdict == decision.verdict
      && subject == decision.subject && lifetime == decision.lifetime && origin == decision.origin
      && note == decision.note
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
