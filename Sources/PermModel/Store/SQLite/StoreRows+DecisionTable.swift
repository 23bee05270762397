private let columns = StoreRows.decisionColumns

extension StoreRows {
  /// The columns of a decision, in the order in which they are read.
  static let decisionColumns = """
    label, program, capability, scope, atom, verdict, lifetime, origin, note, decided_at, last_used
    """

  /// The same columns in a query that also reads a table of programs.
  static let qualifiedColumns = decisionColumns.replacing("program", with: "decisions.program")

  /// The table `files` of the programs with the label `?1` in the range from `?2` to `?3`: the same path with each file
  /// that it had. A range of programs instead would keep SQLite from looking scopes up by the index.
  static let filesOfProgram = files("program BETWEEN ?2 AND ?3")

  /// The same table without the program `?2` itself.
  static let otherFilesOfProgram = files("program > ?2 AND program <= ?3")

  private static func files(_ range: String) -> String {
    """
    WITH RECURSIVE files(program) AS (
      SELECT min(program) FROM decisions WHERE label = ?1 AND \(range)
      UNION ALL SELECT (
        SELECT min(program) FROM decisions WHERE label = ?1 AND program > files.program AND program <= ?3)
      FROM files WHERE files.program IS NOT NULL)
    """
  }

  /// Whether there are decisions about this program as an agent in a folder, under this label, or mutes under any label.
  func isAgent(_ subject: Subject) throws -> Bool {
    let (own, label) = (subject.textsOfAgent, Subject(label: subject.label).textsOfAgent)
    return try rows(
      """
      \(Self.filesOfProgram) SELECT program FROM files WHERE program IS NOT NULL
      UNION ALL SELECT program FROM decisions WHERE label = ?1 AND program BETWEEN ?4 AND ?5
      UNION ALL SELECT program FROM decisions
        WHERE program BETWEEN ?2 AND ?3 AND program <> '' AND capability = '*'
      """, [subject.label, own.lowerBound, own.upperBound, label.lowerBound, label.upperBound]
    ) { try self.subject(subject.label, $0[0]).folder != nil }.contains(true)
  }

  func decision(_ key: Decision.Key) throws -> Decision? {
    try rows(
      """
      SELECT \(columns) FROM decisions
      WHERE label = ? AND program = ? AND capability = ? AND scope = ? AND atom = ?
      """, key.columns, decision
    ).first
  }

  /// Returns the decisions on an atom about a program's label and each file that its path had.
  func decisions(on atom: Atom, at path: String, label: String) throws -> [Decision] {
    try rows(
      """
      \(Self.filesOfProgram)
      SELECT \(Self.qualifiedColumns) FROM files CROSS JOIN decisions
      WHERE label = ?1 AND decisions.program = files.program AND capability = ?4 AND scope = ?5 AND atom = ?6
      """, [label, "\(path)\t", "\(path)\n"] + atom.columns, decision)
  }

  /// Returns a program's own decisions with a verdict and exactly this scope.
  func decisions(
    of subject: Subject, _ capability: String, _ verdict: Verdict, at scope: Scope
  ) throws -> [Decision] {
    try rows(
      """
      SELECT \(columns) FROM decisions
      WHERE label = ? AND program = ? AND capability = ? AND scope = ? AND verdict = ?
      """,
      [subject.label, subject.programText, capability, scope.key, verdict.rawValue], decision)
  }

  /// Returns the decisions with a verdict about the programs with a label in a range whose scopes are inside a scope,
  /// and perhaps a few others. The label's other decisions are not read, because there can be a great many.
  func decisions(
    ofLabel label: String, _ programs: ClosedRange<String>, _ capability: String, _ verdict: Verdict,
    inside scope: Scope
  ) throws -> [Decision] {
    let range = scope.keysInside
    let same = "label = ?1 AND decisions.program = files.program AND capability = ?4 AND verdict = ?5"
    // The index leaves out the decisions about all values, which only that scope contains.
    return try rows(
      """
      \(Self.filesOfProgram)
      SELECT \(Self.qualifiedColumns) FROM files CROSS JOIN decisions INDEXED BY decisions_by_verdict
      WHERE \(same) AND scope >= ?6 AND scope < ?7 AND scope <> x''
      UNION ALL SELECT \(Self.qualifiedColumns) FROM files CROSS JOIN decisions
      WHERE \(same) AND scope = x'' AND ?6 = x''
      """,
      [
        label, programs.lowerBound, programs.upperBound, capability, verdict.rawValue, range.first,
        range.after,
      ], decision)
  }

  /// Returns the decisions that allow writing in a folder, or in something that is in it.
  func decisionsToWrite(in folder: AbsolutePath) throws -> [Decision] {
    let scope = Scope.folder(folder)
    let (covering, inside) = (scope.candidateKeys.map(Array.init), scope.keysInside)
    return try rows(
      """
      SELECT \(columns) FROM decisions
      WHERE capability = 'files' AND verdict = 'allow' AND atom = 'write'
        AND (scope IN (\(covering.map { _ in "?" }.joined(separator: ", "))) OR scope >= ? AND scope < ?)
      """, (covering + [inside.first, inside.after]).map { $0 as (any StoredValue)? }, decision)
  }

  /// Returns at most `limit` decisions that follow `last` in the given order, including those that are no
  /// longer in force.
  func decisions(
    _ filter: DecisionFilter, order: DecisionOrder, after last: Decision?, limit: Int
  ) throws -> [Decision] {
    var condition = SQLCondition(filter)
    if let last { condition.add(after: last, in: order) }
    return try rows(
      "SELECT \(columns) FROM decisions \(condition.sql) ORDER BY \(order.columns) LIMIT \(limit)",
      condition.arguments, decision)
  }

  /// Returns all decisions that are no longer in force, and possibly some that still are.
  func decisionsThatMayBeOver(at moment: Moment) throws -> [Decision] {
    guard try mayAnyBeOver(at: moment) else { return [] }
    let byWall = try rows(
      "SELECT \(columns) FROM decisions WHERE ends_at <= ?", [moment.wall.microseconds], decision)
    let byBoot = try rows(
      "SELECT \(columns) FROM decisions WHERE ends_boot = ? AND ends_boot_time <= ? AND ends_at > ?",
      [moment.bootID, moment.bootTime, moment.wall.microseconds], decision)
    return byWall + byBoot + (try endedByLifeSign(at: moment)) + (try endedWithSandbox(at: moment))
  }

  /// Returns the time after `moment` at which the next decision expires by the wall clock; `nil` if none will.
  func nextEnd(after moment: Timestamp) throws -> Timestamp? {
    try rows("SELECT min(ends_at) FROM decisions WHERE ends_at > ?", [moment.microseconds]) { row in
      (try row[0] as Int64?).map { Timestamp(microseconds: $0) }
    }.first ?? nil
  }

  /// Whether any decision might no longer be in force. Each change checks this first with one cheap query, because the
  /// costly queries are rarely necessary.
  private func mayAnyBeOver(at moment: Moment) throws -> Bool {
    try rows(
      """
      SELECT EXISTS (SELECT 1 FROM decisions WHERE ends_at <= ?)
        OR EXISTS (SELECT 1 FROM decisions WHERE ends_boot = ? AND ends_boot_time <= ?)
        OR EXISTS (
          SELECT 1 FROM decisions INDEXED BY decisions_bound WHERE ends_at IS NULL AND lifetime <> 'forever')
        OR EXISTS (SELECT 1 FROM decisions INDEXED BY decisions_in_sandboxes WHERE \(StoreSchema.isInSandbox))
      """, [moment.wall.microseconds, moment.bootID, moment.bootTime]
    ) { try $0[0] as Bool }.first ?? false
  }

  /// Returns decisions whose session or process has ended. Checks each session or process only once, even if many
  /// decisions are bound to it.
  private func endedByLifeSign(at moment: Moment) throws -> [Decision] {
    let lifetimes = try rows(
      """
      SELECT DISTINCT lifetime FROM decisions INDEXED BY decisions_bound
      WHERE ends_at IS NULL AND lifetime <> 'forever'
      """
    ) { row in try lifetime(try row[0]) }
    return try lifetimes.filter { $0.end(asOf: moment) != nil }.flatMap { lifetime in
      try rows(
        """
        SELECT \(columns) FROM decisions INDEXED BY decisions_bound
        WHERE lifetime = ? AND ends_at IS NULL AND lifetime <> 'forever'
        """, [lifetime.description], decision)
    }
  }

  /// Returns decisions whose sandbox no longer exists. Leaves out decisions whose lifetime has also ended, because
  /// other queries find these.
  private func endedWithSandbox(at moment: Moment) throws -> [Decision] {
    try rows(
      """
      SELECT \(columns) FROM decisions INDEXED BY decisions_in_sandboxes WHERE \(StoreSchema.isInSandbox)
      """, [], decision
    ).filter { $0.lifetime.end(asOf: moment) == nil && !$0.isInForce(at: moment) }
  }

  /// Returns at most `limit` programs that follow `last`, with the numbers of their decisions. These numbers
  /// include decisions that are no longer in force.
  func programs(after last: Subject?, limit: Int) throws -> [ProgramSummary] {
    try rows(
      """
      SELECT label, program, total(verdict = 'allow'), total(verdict = 'deny') FROM decisions
      WHERE (label, program) > (?, ?) GROUP BY label, program ORDER BY label, program LIMIT ?
      """, [last?.label ?? "", last?.programText ?? "", limit]
    ) { row in
      ProgramSummary(
        subject: try subject(try row[0], try row[1]), allowed: Int(try row[2] as Double),
        denied: Int(try row[3] as Double))
    }
  }

  func put(_ decision: Decision) throws {
    let deadline: Deadline? = if case .until(let deadline) = decision.lifetime { deadline } else { nil }
    try execute(
      """
      INSERT INTO decisions (\(columns), ends_at, ends_boot, ends_boot_time)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET verdict = excluded.verdict, lifetime = excluded.lifetime,
        origin = excluded.origin, note = excluded.note, decided_at = excluded.decided_at,
        last_used = excluded.last_used, ends_at = excluded.ends_at, ends_boot = excluded.ends_boot,
        ends_boot_time = excluded.ends_boot_time
      """,
      decision.key.columns + [
        decision.verdict.rawValue, decision.lifetime.description, decision.origin.description,
        decision.note, decision.decidedAt.microseconds, decision.lastUsed?.microseconds,
        deadline?.wall.microseconds, deadline?.bootID, deadline?.bootTime,
      ])
  }

  func noteUse(_ key: Decision.Key, at moment: Timestamp?) throws {
    try execute(
      """
      UPDATE decisions SET last_used = ?
      WHERE label = ? AND program = ? AND capability = ? AND scope = ? AND atom = ?
      """, [moment?.microseconds] + key.columns)
  }

  func remove(_ key: Decision.Key) throws {
    try execute(
      "DELETE FROM decisions WHERE label = ? AND program = ? AND capability = ? AND scope = ? AND atom = ?",
      key.columns)
  }

  func decision(_ row: StoredRow) throws -> Decision {
    Decision(
      subject: try subject(try row[0], try row[1]), atom: Atom(try row[2], try row[4], try scope(try row[3])),
      verdict: try verdict(try row[5]), lifetime: try lifetime(try row[6]), origin: try origin(try row[7]),
      note: try row[8], decidedAt: Timestamp(microseconds: try row[9]),
      lastUsed: (try row[10] as Int64?).map { Timestamp(microseconds: $0) })
  }

  private func scope(_ key: [UInt8]) throws -> Scope { try known(Scope(key: key), Scope.escaped(key)) }

  private func lifetime(_ text: String) throws -> Lifetime { try known(Lifetime(text), text) }
}

extension Decision.Key {
  /// The values of the columns that identify a decision.
  fileprivate var columns: [(any StoredValue)?] {
    [subject.label, subject.programText] + atom.columns
  }
}

extension Atom {
  fileprivate var columns: [(any StoredValue)?] { [capability, scope.key, name] }
}

extension DecisionOrder {
  /// The columns to sort by. An index exists for each order.
  fileprivate var columns: String {
    switch self {
    case .program: "label, program, capability, scope, atom"
    case .capability: "capability, verdict, label, program, scope, atom"
    }
  }
}

extension SQLCondition {
  fileprivate init(_ filter: DecisionFilter) {
    self.init()
    if let subject = filter.subject {
      add("label = ?", subject.label)
      add("program = ?", subject.programText)
    }
    if let subjects = filter.subjects {
      let pairs = subjects.sorted { ($0.label, $0.programText) < ($1.label, $1.programText) }
        .flatMap { [$0.label, $0.programText] }
      add("(label, program) IN (VALUES \(subjects.map { _ in "(?, ?)" }.joined(separator: ", ")))", pairs)
    }
    if let label = filter.label { add("label = ?", label) }
    if let path = filter.path { add("program >= ? AND program < ?", [path + "\t", path + "\n"]) }
    if let capability = filter.capability { add("capability = ?", capability) }
    if let verdict = filter.verdict { add("verdict = ?", verdict.rawValue) }
    if let atoms = filter.atoms, atoms.isEmpty {
      // SQL has no list without values.
      add("FALSE", [(any StoredValue)?]())
    } else if let atoms = filter.atoms {
      let triples = atoms.sorted().flatMap(\.columns)
      add(
        "(capability, scope, atom) IN (VALUES \(atoms.map { _ in "(?, ?, ?)" }.joined(separator: ", ")))",
        triples)
    }
  }

  fileprivate mutating func add(after last: Decision, in order: DecisionOrder) {
    let program: [(any StoredValue)?] = [last.subject.label, last.subject.programText]
    switch order {
    case .program:
      add("(\(order.columns)) > (?, ?, ?, ?, ?)", program + last.atom.columns)
    case .capability:
      add(
        "(\(order.columns)) > (?, ?, ?, ?, ?, ?)",
        [last.atom.capability, last.verdict.rawValue] + program + last.atom.columns.dropFirst())
    }
  }
}
