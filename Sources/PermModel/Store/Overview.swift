/// The contents of a first screen, gathered in one look at the store.
package struct Overview: Hashable, Sendable {
  /// Capabilities with anything stored about them, by name.
  package var capabilities: [CapabilitySummary] = []
  package var suspension: Suspension?
  /// The newest journal entry that this includes. Later changes come from ``PermissionStore/changes(since:)``, so none
  /// is missed in between.
  package var position: JournalEntry.ID = 0
  /// The moment when the first decision ends by the wall clock; `nil` if none does.
  package var nextEnd: Timestamp?
}

/// One capability in the overview.
package struct CapabilitySummary: Hashable, Sendable {
  /// The capability's name.
  package var capability: String
  /// The numbers of programs with some part of it allowed, and denied. A program may count on both sides.
  package var allowed: Int
  package var denied: Int
  /// The first few decisions of each verdict, by program.
  package var firstAllowed: [Decision]
  package var firstDenied: [Decision]
  /// Requests that wait for an answer, set aside or not.
  package var waiting: Int
  /// The moment when a program last asked for it.
  package var lastAsked: Timestamp?

  package init(
    capability: String, allowed: Int = 0, denied: Int = 0, firstAllowed: [Decision] = [],
    firstDenied: [Decision] = [], waiting: Int = 0, lastAsked: Timestamp? = nil
  ) {
    self.capability = capability
    self.allowed = allowed
    self.denied = denied
    self.firstAllowed = firstAllowed
    self.firstDenied = firstDenied
    self.waiting = waiting
    self.lastAsked = lastAsked
  }
}

/// One program in a list of programs.
package struct ProgramSummary: Hashable, Sendable {
  package var subject: Subject
  /// The numbers of atoms that it is allowed, and denied.
  package var allowed: Int
  package var denied: Int
}
