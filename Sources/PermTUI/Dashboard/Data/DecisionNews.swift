import PermModel

/// A change to the decisions for one program and one capability, made while the dashboard was open.
struct DecisionNews: Identifiable, Hashable, Sendable {
  /// A decision's place in the lists. It depends on neither answer nor atoms, and outlasts the decision.
  struct ID: Hashable, Sendable {
    var subject: Subject
    var capability: String
  }

  var id: ID
  var origin: Origin
  var at: Timestamp
  /// Whether the change left nothing decided.
  var isGone: Bool
}

extension DecisionNews {
  /// Creates the change that a journal entry describes; `nil` if it changed no decision, or one ended by itself.
  init?(_ entry: JournalEntry) {
    guard let decision = entry.after ?? entry.before, let origin = entry.origin else { return nil }
    self.init(
      id: ID(subject: decision.subject, capability: decision.atom.capability), origin: origin, at: entry.at,
      isGone: entry.after == nil)
  }
}

extension DecisionRow.ID {
  /// The id of changes to this decision.
  var news: DecisionNews.ID { DecisionNews.ID(subject: subject, capability: capability) }
}
