import PermModel

/// A change to the decisions for one program and one capability, made while the dashboard was open.
struct DecisionNews: Identifiable, Hashable, Sendable {
  /// Identifies a program and a capability. All changes to decisions for this pair share the id, even after a decision
  /// is gone.
  struct ID: Hashable, Sendable {
    var subject: Subject
    var capability: String
  }

  var id: ID
  var origin: Origin
  var at: Timestamp
  /// Whether the change removed the decision.
  var isGone: Bool
  /// The change that undo would take back; `nil` if this news is itself an undo, or cannot be undone.
  var change: DecisionChange.ID?
  /// Whether the decision is gone because its time was up.
  var isEnded = false
  /// The change that this news undoes; `nil` if it is not an undo.
  var undoes: DecisionChange.ID?
}

extension DecisionNews {
  /// Creates the change that a journal entry describes. Returns `nil` if the entry changed no decision, or if
  /// a decision merely expired.
  init?(_ entry: JournalEntry) {
    guard let decision = entry.after ?? entry.before, let origin = entry.origin else { return nil }
    self.init(
      id: ID(subject: decision.subject, capability: decision.atom.capability), origin: origin, at: entry.at,
      isGone: entry.after == nil, change: entry.kind.isUndoable ? entry.change : nil,
      undoes: entry.kind == .undone ? entry.change : nil)
  }
}

extension DecisionRow.ID {
  /// The id that all changes to this decision share.
  var news: DecisionNews.ID { DecisionNews.ID(subject: subject, capability: capability) }
}
