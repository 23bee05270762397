import GRDB

/// The marks of all columns and of `line`, which is only written.
private let marks = Array(repeating: "?", count: 21).joined(separator: ", ")

private let columns = """
  id, at, kind, origin, label, program, capability, atoms, request, verdict, text, count, last_at, change, \
  before, after, details, kept, decision, asked
  """

private let placeOfAnswers = "label = ? AND capability = ? AND program BETWEEN ? AND ? AND origin IS NOT ?"

/// Counts the answers to a program about a capability, by program and verdict. A program can have a hundred thousand of
/// them, so none is read.
///
/// A decision that keeps an answer follows that answer in the journal, and is not counted again. All decisions of one change
/// are counted once, unless the change was undone.
private let countOfAnswers = """
  SELECT program, verdict, sum(number), max(place), at FROM (
    SELECT program, verdict, count(*) AS number, max(id) AS place, at FROM journal
    WHERE \(placeOfAnswers) AND kind = 'answered' GROUP BY program, verdict
    UNION ALL
    SELECT program, verdict, 1 AS number, min(id) AS place, at FROM journal
    WHERE \(placeOfAnswers) AND kind = 'decided' AND NOT EXISTS (
      SELECT 1 FROM journal AS answer
      WHERE answer.id = journal.change - 1 AND answer.kind = 'answered' AND answer.at = journal.at
    ) AND 'undone' IS NOT (
      SELECT latest.kind FROM journal AS latest WHERE latest.change = journal.change
      ORDER BY latest.id DESC LIMIT 1
    ) GROUP BY coalesce(change, -id), program, verdict
  ) GROUP BY program, verdict
  """

extension StoreRows {
  func entries(_ filter: JournalFilter, _ page: JournalPage) throws -> [JournalEntry] {
    var condition = SQLCondition(filter)
    let order: String
    switch page {
    case .newest(let limit): order = "DESC LIMIT \(limit)"
    case .older(let id, let limit):
      condition.add("id < ?", id)
      order = "DESC LIMIT \(limit)"
    case .newer(let id, let limit):
      condition.add("id > ?", id)
      order = "LIMIT \(limit)"
    }
    return try rows(
      "SELECT \(columns) FROM journal \(condition.sql) ORDER BY id \(order)",
      condition.arguments, entry)
  }

  func entries(ofChange change: DecisionChange.ID) throws -> [JournalEntry] {
    try rows("SELECT \(columns) FROM journal WHERE change = ? ORDER BY id", [change], entry)
  }

  /// Returns the labels and capabilities about which something was decided, imported or forgotten after an entry.
  func placesChanged(after id: JournalEntry.ID) throws -> Set<ChangedPlace> {
    Set(
      try rows(
        """
        SELECT DISTINCT label, capability FROM journal INDEXED BY journal_by_change
        WHERE change > ? AND kind IN ('decided', 'forgotten', 'imported')
        """, [id]
      ) { ChangedPlace(label: try $0[0], capability: try $0[1]) })
  }

  /// Returns the most recent changes of decisions, newest first: for each, its ID, its latest entry, and whether it is
  /// undone.
  func recentChanges(
    limit: Int
  ) throws -> [(id: DecisionChange.ID, lastEntry: JournalEntry.ID, isUndone: Bool)] {
    // The query jumps from change to change in the index, because one change can have a great many entries. The last
    // entry of a change tells whether it was undone.
    try rows(
      """
      WITH RECURSIVE recent (change) AS (
        SELECT max(change) FROM journal WHERE change IS NOT NULL
        UNION ALL
        SELECT (SELECT max(change) FROM journal WHERE change < recent.change)
        FROM recent WHERE recent.change IS NOT NULL LIMIT ?
      )
      SELECT recent.change, journal.id, journal.kind FROM recent JOIN journal ON journal.id = (
        SELECT max(id) FROM journal WHERE journal.change = recent.change
      ) ORDER BY recent.change DESC
      """, [limit]
    ) { (id: try $0[0], lastEntry: try $0[1], isUndone: try $0[2] == JournalEntry.Kind.undone.rawValue) }
  }

  func answers(to subject: Subject, capability: String) throws -> AnswerHistory {
    let arguments: [(any StoredValue)?] = [
      subject.label, capability, subject.programTexts.lowerBound, subject.programTexts.upperBound,
      Origin.terminal.description,
    ]
    // There is one row for each file that the program had, and each verdict.
    let counts = try rows(countOfAnswers, arguments + arguments) { row in
      (
        program: try row[0] as String, verdict: try verdict(row[1]), count: try row[2] as Int,
        last: try row[3] as Int64, at: Timestamp(microseconds: try row[4])
      )
    }.filter { subject.isSameProgram(as: Subject(label: subject.label, programText: $0.program)) }
    func count(_ verdict: Verdict) -> Int {
      counts.filter { $0.verdict == verdict }.map(\.count).reduce(0, +)
    }
    return AnswerHistory(
      allowed: count(.allow), denied: count(.deny), last: counts.max { $0.last < $1.last }?.at)
  }

  /// Returns how often a person allowed exactly these atoms since a given time, each time for one request only. Requests
  /// that shared an alert are counted once. Only the latest 500 allows of the program are looked at, which the index finds.
  func timesAllowed(_ atoms: Set<Atom>, to subject: Subject, since moment: Timestamp) throws -> Int {
    try rows(
      """
      SELECT count(DISTINCT at) FROM (
        SELECT at, capability, atoms, kept, origin FROM journal
        WHERE label = ? AND kind = 'answered' AND program = ? AND verdict = 'allow' ORDER BY id DESC LIMIT 500
      ) WHERE at >= ? AND capability = ? AND atoms = ? AND kept IS NULL AND origin IS NOT ?
      """,
      [
        subject.label, subject.programText, moment.microseconds, atoms.first?.capability,
        atoms.sorted().journalText ?? "", Origin.terminal.description,
      ]
    ) { row -> Int in try row[0] }.first ?? 0
  }

  /// Appends an entry that already has an ID.
  ///
  /// - Parameter line: The line of automatic answers that the entry counts; `nil` if it is about something else.
  func append(_ entry: JournalEntry, line: AutomaticAnswer.Line? = nil) throws {
    try execute(
      "INSERT INTO journal (\(columns), line) VALUES (\(marks))",
      [
        entry.id, entry.at.microseconds, entry.kind.rawValue, entry.origin?.description,
        entry.subject?.label, entry.subject?.programText, entry.capability,
        entry.atoms.sorted().journalText ?? "", entry.request?.text,
        entry.verdict?.rawValue, entry.text, entry.count, entry.lastAt?.microseconds, entry.change,
        entry.before?.keptText, entry.after?.keptText, entry.details, entry.isKept ? 1 : nil,
        entry.decision?.journalText, entry.values.journalText, line?.number,
      ])
  }

  /// Returns the ID of the newest entry that counts a line of automatic answers and began in a range of time.
  func entry(of line: AutomaticAnswer.Line, begunIn range: ClosedRange<Timestamp>) throws -> JournalEntry.ID?
  {
    try rows(
      "SELECT id FROM journal WHERE line = ? AND at BETWEEN ? AND ? ORDER BY at DESC, id DESC LIMIT 1",
      [line.number, range.lowerBound.microseconds, range.upperBound.microseconds]
    ) { try $0[0] as JournalEntry.ID }.first
  }

  /// Counts an automatic answer in an existing entry, replaces the entry's atoms with those of the answer, and adds the
  /// answer's values to the entry's.
  func count(_ id: JournalEntry.ID, _ answer: AutomaticAnswer, at moment: Timestamp) throws {
    var sum = answer
    sum.values =
      try rows("SELECT asked FROM journal WHERE id = ?", [id]) {
        try atoms($0[0] as String?, of: answer.capability)
      }.first ?? []
    sum.addValues(answer.values)
    try execute(
      "UPDATE journal SET count = count + ?, last_at = ?, atoms = ?, asked = ? WHERE id = ?",
      [
        answer.count, moment.microseconds, answer.atoms.sorted().journalText ?? "", sum.values.journalText,
        id,
      ])
  }

  /// Removes at most `limit` entries that are older than a given time, starting with the oldest. Returns the number of
  /// removed entries. Keeps the journal's newest entry, and all entries of `change` and later changes.
  func removeEntries(
    before moment: Timestamp, keepingChangesFrom change: DecisionChange.ID, limit: Int
  ) throws -> Int {
    try execute(
      """
      DELETE FROM journal WHERE id IN (
        SELECT id FROM journal WHERE at < ? AND (change IS NULL OR change < ?)
        AND id < (SELECT max(id) FROM journal) ORDER BY id LIMIT ?)
      """, [moment.microseconds, change, limit])
    return db.changesCount
  }

  private func entry(_ row: StoredRow) throws -> JournalEntry {
    let capability: String? = try row[6]
    let program: String? = try row[5]
    var entry = JournalEntry(
      id: try row[0], at: Timestamp(microseconds: try row[1]), kind: try kind(try row[2]),
      origin: try (try row[3] as String?).map(origin),
      subject: try (try row[4] as String?).map { try subject($0, program ?? "") },
      capability: capability, atoms: Set(try atoms(row[7], of: capability)),
      request: (try row[8] as String?).map { Request.ID($0) },
      verdict: try (try row[9] as String?).map(verdict), text: try row[10])
    entry.count = try row[11]
    entry.lastAt = (try row[12] as Int64?).map { Timestamp(microseconds: $0) }
    entry.change = try row[13]
    entry.details = try row[16]
    entry.isKept = (try row[17] as Int64?) == 1
    entry.decision = try (try row[18] as String?).map { try decision($0, of: capability) }
    entry.values = try atoms(row[19], of: capability)
    try addDecisions(to: &entry, before: try row[14], after: try row[15])
    return entry
  }

  private func atoms(_ text: String?, of capability: String?) throws -> [Atom] {
    let names = Substring(text ?? "").splitAtCommas().filter { !$0.isEmpty }
    return try names.map { try atom(String($0), of: capability ?? "") }
  }

  private func decision(_ text: String, of capability: String?) throws -> Decision.Key {
    let fields = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 3 else { throw UnreadableRow(text: text) }
    return Decision.Key(
      subject: try subject(fields[0], fields[2]), atom: try atom(fields[1], of: capability ?? ""))
  }

  /// Reads an atom as the journal stores it. Earlier versions wrote a container into the name.
  private func atom(_ text: String, of capability: String) throws -> Atom {
    let fields = text.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
    guard fields.count == 2 else { return Atom(capability, written: text) }
    let scope = (try? Scope.unescaped(fields[1])).flatMap { Scope(key: $0) }
    return Atom(capability, String(fields[0]), try known(scope, text))
  }

  private func kind(_ text: String) throws -> JournalEntry.Kind {
    try known(JournalEntry.Kind(rawValue: text), text)
  }

  private func addDecisions(to entry: inout JournalEntry, before: String?, after: String?) throws {
    guard let subject = entry.subject, let atom = entry.atoms.first else { return }
    let key = Decision.Key(subject: subject, atom: atom)
    // Only a change of the kind `bound` alters a decision's program. Before that change, the decision was for a label
    // alone.
    let unbound = Subject(label: subject.label, file: nil, folder: subject.folder)
    let keyBefore = entry.kind == .bound ? Decision.Key(subject: unbound, atom: atom) : key
    entry.before = try before.map { try known(Decision(keyBefore, keptText: $0), $0) }
    entry.after = try after.map { try known(Decision(key, keptText: $0), $0) }
  }
}

/// The program label and the capability that a change was about.
struct ChangedPlace: Hashable {
  var label: String
  var capability: String
}

extension Atom {
  /// The form in which the journal stores an atom: its name, followed by a tab and the key of its scope if it is not for
  /// all values.
  fileprivate var journalText: String {
    scope == .any ? name : "\(name)\t\(Scope.escaped(scope.key, alsoComma: true))"
  }
}

extension [Atom] {
  /// The atoms as one string; `nil` if there are none.
  fileprivate var journalText: String? { isEmpty ? nil : map(\.journalText).joined(separator: ",") }
}

extension Decision.Key {
  /// The label, the atom and the program of a decision, each on a line.
  fileprivate var journalText: String { "\(subject.label)\n\(atom.journalText)\n\(subject.programText)" }
}

extension SQLCondition {
  fileprivate init(_ filter: JournalFilter) {
    self.init()
    if let label = filter.label { add("label = ?", label) }
    if let path = filter.path { add("program >= ? AND program < ?", [path + "\t", path + "\n"]) }
    if let capability = filter.capability { add("capability = ?", capability) }
    if let kinds = filter.kinds {
      let marks = kinds.map { _ in "?" }.joined(separator: ", ")
      add("kind IN (\(marks))", kinds.map(\.rawValue).sorted())
    }
    if let request = filter.request { add("request = ?", request.text) }
    if let since = filter.since { add("at >= ?", since.microseconds) }
    if let until = filter.until { add("at < ?", until.microseconds) }
  }
}
