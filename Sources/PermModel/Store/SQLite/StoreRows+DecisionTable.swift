import GRDB

private let columns = """
  label, program, capability, atom, verdict, lifetime, origin, note, decided_at, last_used
  """

/// A query for the suspension and, with four index look-ups, for decisions. A single look-up would make SQLite build
/// temporary tables each time. The third look-up ignores the label, because a mute applies under any label. The result
/// can include decisions about another file at the same path, which the caller must leave out.
private let glanceSQL = """
  SELECT \(columns), NULL FROM decisions WHERE label = ? AND program BETWEEN ? AND ? AND capability = ?
  UNION ALL SELECT \(columns), NULL FROM decisions WHERE label = ? AND program = '' AND capability = ?
  UNION ALL SELECT \(columns), NULL FROM decisions
    WHERE program BETWEEN ? AND ? AND program <> '' AND capability = '*'
  UNION ALL SELECT \(columns), NULL FROM decisions WHERE label = ? AND program = '' AND capability = '*'
  UNION ALL SELECT '', '', '', '', '', '', origin, NULL, 0, NULL, since FROM suspension
  """

extension StoreRows {
  func decision(_ key: Decision.Key) throws -> Decision? {
    try rows(
      """
      SELECT \(columns) FROM decisions WHERE label = ? AND program = ? AND capability = ? AND atom = ?
      """, [key.subject.label, key.subject.programText, key.atom.capability, key.atom.name], decision
    ).first
  }

  /// Returns the suspension, and the decisions for a program that concern a capability. They include decisions for the
  /// program's label alone and decisions about all capabilities. Uses a single statement for speed.
  func glance(at subject: Subject, capability: String) throws -> Glance {
    var glance = Glance()
    let (programs, muted) = (subject.programTexts, subject.muted.programTexts)
    _ = try rows(
      glanceSQL,
      [
        subject.label, programs.lowerBound, programs.upperBound, capability, subject.label, capability,
        muted.lowerBound, muted.upperBound, subject.label,
      ]
    ) { row in
      if let since: Int64 = try row[10] {
        glance.suspension = Suspension(since: Timestamp(microseconds: since), origin: try origin(try row[6]))
      } else {
        glance.decisions.append(try decision(row))
      }
    }
    return glance
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
      StatementArguments(condition.arguments), decision)
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
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET verdict = excluded.verdict, lifetime = excluded.lifetime,
        origin = excluded.origin, note = excluded.note, decided_at = excluded.decided_at,
        last_used = excluded.last_used, ends_at = excluded.ends_at, ends_boot = excluded.ends_boot,
        ends_boot_time = excluded.ends_boot_time
      """,
      [
        decision.subject.label, decision.subject.programText, decision.atom.capability, decision.atom.name,
        decision.verdict.rawValue, decision.lifetime.description, decision.origin.description,
        decision.note, decision.decidedAt.microseconds, decision.lastUsed?.microseconds,
        deadline?.wall.microseconds, deadline?.bootID, deadline?.bootTime,
      ])
  }

  func remove(_ key: Decision.Key) throws {
    try execute(
      "DELETE FROM decisions WHERE label = ? AND program = ? AND capability = ? AND atom = ?",
      [key.subject.label, key.subject.programText, key.atom.capability, key.atom.name])
  }

  private func decision(_ row: StoredRow) throws -> Decision {
    Decision(
      subject: try subject(try row[0], try row[1]), atom: Atom(try row[2], try row[3]),
      verdict: try verdict(try row[4]), lifetime: try lifetime(try row[5]), origin: try origin(try row[6]),
      note: try row[7], decidedAt: Timestamp(microseconds: try row[8]),
      lastUsed: (try row[9] as Int64?).map { Timestamp(microseconds: $0) })
  }

  private func lifetime(_ text: String) throws -> Lifetime { try known(Lifetime(text), text) }
}

extension DecisionOrder {
  /// The columns to sort by. An index exists for each order.
  fileprivate var columns: String {
    switch self {
    case .program: "label, program, capability, atom"
    case .capability: "capability, verdict, label, program, atom"
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
    if let label = filter.label { add("label = ?", label) }
    if let path = filter.path { add("program >= ? AND program < ?", [path + "\t", path + "\n"]) }
    if let capability = filter.capability { add("capability = ?", capability) }
    if let verdict = filter.verdict { add("verdict = ?", verdict.rawValue) }
    if let atoms = filter.atoms {
      let pairs = atoms.sorted().flatMap { [$0.capability, $0.name] }
      add("(capability, atom) IN (VALUES \(atoms.map { _ in "(?, ?)" }.joined(separator: ", ")))", pairs)
    }
  }

  fileprivate mutating func add(after last: Decision, in order: DecisionOrder) {
    let program = [last.subject.label, last.subject.programText]
    switch order {
    case .program:
      add("(\(order.columns)) > (?, ?, ?, ?)", program + [last.atom.capability, last.atom.name])
    case .capability:
      add(
        "(\(order.columns)) > (?, ?, ?, ?, ?)",
        [last.atom.capability, last.verdict.rawValue] + program + [last.atom.name])
    }
  }
}

/// The stored facts that determine an answer to one program about one capability. These facts include decisions that
/// are no longer in force.
struct Glance {
  var decisions: [Decision] = []
  var suspension: Suspension?
}
