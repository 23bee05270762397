/// A program for which a person has answered under a label.
struct AnsweredProgram: Hashable, Sendable {
  var subject: Subject
  /// The person's verdict, on whatever capability.
  var verdict: Verdict
}

/// The greatest number of programs under one label that are looked at.
private let mostPrograms = 1_000

extension StoreRows {
  /// Returns the programs for which a person has answered, decided or imported something under a label, with each verdict: those
  /// with decisions, and those in the journal, whose decisions have ended or were never kept.
  ///
  /// An answer from the program's own terminal might have been typed by the program itself, so it does not count. An
  /// answer that was undone, perhaps because it was a mistake, does not count either.
  func answeredPrograms(label: String) throws -> Set<AnsweredProgram> {
    let decided = try answered(Self.decidedPrograms, [label])
    return try ["answered", "decided", "imported", "bound"].reduce(into: decided) { programs, kind in
      programs.formUnion(try answered(Self.journalledPrograms, [label, kind, Origin.terminal.description]))
    }
  }

  private func answered(_ sql: String, _ arguments: [String]) throws -> Set<AnsweredProgram> {
    Set(
      try rows(sql, arguments) { row in
        AnsweredProgram(subject: try subject(arguments[0], try row[0]), verdict: try verdict(try row[1]))
      })
  }

  private static let decidedPrograms = """
    \(programs(in: "decisions", where: "label = ?1"))
    SELECT program, verdict FROM programs CROSS JOIN verdicts WHERE EXISTS (
      SELECT 1 FROM decisions
      WHERE label = ?1 AND decisions.program = programs.program AND decisions.verdict = verdicts.verdict)
    """

  /// The programs with an entry of one kind that still counts. An answer that was kept is followed by the change that
  /// keeps it, made at the same time, and counts for as long as that change is not undone.
  private static let journalledPrograms = """
    \(programs(in: "journal", where: "label = ?1 AND kind = ?2"))
    SELECT program, verdict FROM programs CROSS JOIN verdicts WHERE EXISTS (
      SELECT 1 FROM journal AS entry
      WHERE label = ?1 AND kind = ?2 AND entry.program = programs.program AND entry.verdict = verdicts.verdict
        AND origin IS NOT ?3 AND 'undone' IS NOT (
          SELECT kind FROM journal AS latest WHERE latest.change = coalesce(entry.change, (
            SELECT iif(next.at = entry.at, next.change, NULL) FROM journal AS next
            WHERE next.id > entry.id AND next.kind <> 'answered' ORDER BY next.id LIMIT 1
          )) ORDER BY latest.id DESC LIMIT 1
        )
    )
    """

  /// Returns the tables `programs`, which jumps from program to program in an index, and `verdicts`.
  private static func programs(in table: String, where condition: String) -> String {
    """
    WITH RECURSIVE verdicts (verdict) AS (VALUES ('allow'), ('deny')), programs (program) AS (
      SELECT min(program) FROM \(table) WHERE \(condition)
      UNION ALL SELECT (
        SELECT min(program) FROM \(table) WHERE \(condition) AND program > programs.program)
      FROM programs WHERE programs.program IS NOT NULL LIMIT \(mostPrograms))
    """
  }
}
