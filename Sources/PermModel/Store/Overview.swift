/// The data that the first screen shows, read from the store in one transaction.
package struct Overview: Hashable, Sendable {
  /// The capabilities about which the store holds anything, sorted by name.
  package var capabilities: [CapabilitySummary] = []
  /// The requests that are waiting for an answer, including those that were set aside, in the order of their arrival.
  package var waiting: [StoredRequest] = []
  package var suspension: Suspension?
  /// The ID of the newest journal entry that this overview includes. A caller that passes this ID to
  /// ``PermissionStore/changes(since:)`` receives all later changes.
  package var position: JournalEntry.ID = 0
  /// The time at which the next decision expires by the wall clock; `nil` if none will.
  package var nextEnd: Timestamp?
}

/// One capability in the overview.
package struct CapabilitySummary: Hashable, Sendable {
  /// The capability's name.
  package var capability: String
  /// The number of programs for which at least one part of the capability is allowed. A program for which other parts
  /// are denied is also counted in ``denied``.
  package var allowed: Int
  package var denied: Int
  /// The first few decisions that allow something, sorted by program. ``firstDenied`` contains those that deny.
  package var firstAllowed: [Decision]
  package var firstDenied: [Decision]
  /// The number of requests that are waiting for an answer, including those that were set aside.
  package var waiting: Int
  /// The time at which a program last asked for the capability.
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
  /// The number of atoms that the program is allowed. ``denied`` is the number of atoms that it is denied.
  package var allowed: Int
  package var denied: Int
}
