import PermModel

/// A change of what is decided for one program and one capability, made while the dashboard was open.
struct DecisionNews: Identifiable, Hashable, Sendable {
  /// A decision keeps its place in the lists whatever its answer and its atoms are, also when it is gone.
  struct ID: Hashable, Sendable {
    var subject: Subject
    var capability: String
  }

  var id: ID
  /// Who or what changed it.
  var origin: Origin
  var at: Timestamp
  /// Whether nothing of it is decided any more by this change.
  var isGone: Bool
}

extension DecisionNews {
  /// What an entry of the journal tells of; `nil` if it changed no decision, or one ended by itself.
  init?(_ entry: JournalEntry) {
    guard let decision = entry.after ?? entry.before, let origin = entry.origin else { return nil }
    self.init(
      id: ID(subject: decision.subject, capability: decision.atom.capability), origin: origin, at: entry.at,
      isGone: entry.after == nil)
  }
}

extension DecisionRow.ID {
  /// What changes of this decision are told under.
  var news: DecisionNews.ID { DecisionNews.ID(subject: subject, capability: capability) }
}
