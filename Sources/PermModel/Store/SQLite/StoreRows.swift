import GRDB

/// The rows of a store in one SQLite transaction.
///
/// The methods in this folder read and write the rows. The store's rules are in the folder `Transactions`, and use
/// these methods. Each connection prepares a statement only once, and then caches it.
package struct StoreRows {
  let db: Database
  /// The definitions of capabilities, by name.
  var definition: (String) -> CapabilityDefinition? = { _ in nil }
  /// The kept statements of glances on this connection; `nil` if none are kept, because no glance is expected on it.
  var glances: GlanceStatements?
  /// The waiting requests that this store's readers have decoded; `nil` if each is decoded, because they are read once.
  var decodedRequests: DecodedRequests?

  /// Returns the ID of the newest journal entry; 0 if there is none.
  func lastEntryID() throws -> JournalEntry.ID {
    try rows("SELECT max(id) FROM journal") { try $0[0] as Int64? ?? 0 }.first ?? 0
  }

  func suspension() throws -> Suspension? {
    try rows("SELECT since, origin FROM suspension") { row in
      Suspension(since: Timestamp(microseconds: try row[0]), origin: try origin(try row[1]))
    }.first
  }

  func setSuspension(_ suspension: Suspension?) throws {
    try execute("DELETE FROM suspension")
    guard let suspension else { return }
    try execute(
      "INSERT INTO suspension (since, origin) VALUES (?, ?)",
      [suspension.since.microseconds, suspension.origin.description])
  }

  /// Returns each capability with the time of its last request and its numbers of allowed and denied programs. These
  /// numbers include programs whose decisions are no longer in force.
  func tallies() throws -> [CapabilitySummary] {
    try rows("SELECT name, allowed, denied, asked_at FROM capabilities") { row in
      CapabilitySummary(
        capability: try row[0], allowed: Int(try row[1] as UInt32), denied: Int(try row[2] as UInt32),
        lastAsked: (try row[3] as Int64?).map { Timestamp(microseconds: $0) })
    }
  }

  func noteAsked(_ capability: String, at moment: Timestamp) throws {
    try execute(
      """
      INSERT INTO capabilities (name, asked_at) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET asked_at = excluded.asked_at
      """, [capability, moment.microseconds])
  }

  func subjects(named name: String) throws -> [Subject] {
    try rows(
      """
      SELECT label, program FROM decisions WHERE label = ?1
      UNION SELECT label, program FROM journal WHERE label = ?1 AND program IS NOT NULL
      UNION SELECT label, program FROM decisions WHERE program >= ?2 AND program < ?3
      ORDER BY 1, 2
      """, [name, name + "\t", name + "\n"]
    ) { try subject($0[0], $0[1]) }
  }

  /// Converts a stored label and program to a subject. Throws an error if the store cannot have written the stored
  /// program. Damage therefore cannot make one program look like another.
  func subject(_ label: String, _ program: String) throws -> Subject {
    let subject = Subject(label: label, programText: program)
    return try known(subject.programText == program ? subject : nil, program)
  }

  /// Converts a stored string to an origin. Throws an error if the store cannot have written the string.
  func origin(_ text: String) throws -> Origin { try known(Origin(text), text) }

  func verdict(_ text: String) throws -> Verdict { try known(Verdict(rawValue: text), text) }

  func known<T>(_ value: T?, _ text: @autoclosure () -> String) throws -> T {
    guard let value else { throw UnreadableRow(text: text()) }
    return value
  }
}

/// A `WHERE` clause and its arguments. Conditions can be added to it.
struct SQLCondition {
  private(set) var arguments: [(any StoredValue)?] = []
  private var terms: [String] = []

  /// The clause in SQL; empty if it has no conditions.
  var sql: String { terms.isEmpty ? "" : "WHERE " + terms.joined(separator: " AND ") }

  mutating func add(_ term: String, _ argument: some StoredValue) {
    terms.append(term)
    arguments.append(argument)
  }

  mutating func add(_ term: String, _ arguments: [(any StoredValue)?]) {
    terms.append(term)
    self.arguments += arguments
  }
}
