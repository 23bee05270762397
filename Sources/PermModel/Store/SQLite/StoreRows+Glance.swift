import GRDB
import Machine

/// The stored facts that determine an answer to one program about one capability. These facts include decisions that
/// are no longer in force.
struct Glance {
  var decisions: [Decision] = []
  var suspension: Suspension?
}

extension StoreRows {
  /// Returns the suspension, and the decisions for a program that concern a capability. They include denials for
  /// everyone, decisions for the program's label alone, and decisions about all capabilities.
  ///
  /// - Parameter atoms: The atoms that are asked for. Only the decisions on which their states depend are returned; a
  ///   program can have thousands of others. If it is `nil`, all decisions about the capability are returned.
  func glance(at subject: Subject, capability: String, asking atoms: Set<Atom>? = nil) throws -> Glance {
    let (programs, muted) = (subject.programTexts, subject.muted.programTexts)
    let scopes = atoms.map(AskedScopes.init)
    let query = GlanceQuery(
      isOneFile: programs.lowerBound == programs.upperBound, isInFolder: subject.folder != nil,
      isInAnyFolder: subject.folder == .unknown, covering: scopes?.covered, inside: scopes?.inside.count ?? 0,
      isAboutLines: scopes?.isAboutLines ?? false)
    return try glance(query) { parameters in
      // In the order of the numbers of the parameters.
      for text in [
        subject.label, subject.firstText, programs.upperBound, capability, muted.lowerBound, muted.upperBound,
        Subject.everyone.label, Subject.everyone.programText,
      ] { parameters.bind(text) }
      if subject.folder != nil {
        let elsewhere = subject.inAnyFolder
        let here = Subject(label: subject.label, file: nil, folder: subject.folder)
        for text in [here.programText, elsewhere.programText, elsewhere.muted.programText] {
          parameters.bind(text)
        }
      }
      scopes?.bind(to: &parameters)
    }
  }

  /// Uses a single statement, because it then needs no transaction.
  private func glance(
    _ query: GlanceQuery, _ bind: (inout StatementParameters) -> Void
  ) throws -> Glance {
    var glance = Glance()
    let statement = try (glances ?? GlanceStatements()).statement(of: query, in: db)
    _ = try statement.rows(binding: bind) { row in
      if let since: Int64 = try row[11] {
        glance.suspension = Suspension(since: Timestamp(microseconds: since), origin: try origin(try row[7]))
      } else {
        glance.decisions.append(try decision(row))
      }
    }
    return glance
  }
}

extension Subject {
  /// The ``programText`` of the program as it is known, which is the first one in the range of all its files.
  fileprivate var firstText: String {
    if let path, file == nil { "\(path)\t\t" } else { programTexts.lowerBound }
  }
}

/// The scopes that a decision about the given atoms can have.
private struct AskedScopes {
  /// The keys of the scopes that cover an asked scope.
  private let covering: [ArraySlice<UInt8>]
  /// The ranges of keys inside an asked scope that stands for several values, and those of what can be denied in a line.
  /// The last range of a question about lines is that of lines with holes, which can be allowed.
  let inside: [(first: [UInt8], after: [UInt8])]
  let isAboutLines: Bool

  init(_ atoms: Set<Atom>) {
    let scopes = atoms.count == 1 ? atoms.map(\.scope) : Array(Set(atoms.map(\.scope)))
    covering =
      scopes.count == 1 ? scopes.flatMap(\.candidateKeys) : Array(Set(scopes.flatMap(\.candidateKeys)))
    isAboutLines = scopes.contains { $0.isValue && $0.kind == .command }
    inside =
      scopes.filter { !$0.isValue }.map(\.keysInside)
      + (isAboutLines ? [Scope.keysOfStarts, Scope.keysOfLines] : [])
  }

  /// The number of parameters for the keys of covering scopes: one of a few numbers, so that few statements have to be
  /// prepared, and never 0, because a list of no keys is not SQL.
  var covered: Int {
    let step = covering.count <= 32 ? 4 : 64
    return max(1, (covering.count + step - 1) / step) * step
  }

  func bind(to parameters: inout StatementParameters) {
    for key in covering { parameters.bind(key) }
    for _ in covering.count..<covered { parameters.bindNothing() }
    for range in inside {
      parameters.bind(range.first[...])
      parameters.bind(range.after[...])
    }
  }
}

/// The prepared statements of glances on one connection.
///
/// They are found by the form of the question. GRDB would find them by their texts, which are so long that hashing one
/// takes as long as reading the row that it finds. Only the connection's own queue uses them.
final class GlanceStatements: @unchecked Sendable {
  private var statements: [GlanceQuery: Statement] = [:]

  fileprivate func statement(of query: GlanceQuery, in db: Database) throws -> Statement {
    if let known = statements[query] { return known }
    let new = try db.makeStatement(sql: query.sql)
    if query.isKept { statements[query] = new }
    return new
  }

  /// Releases the statements, so that the connection can be closed.
  func clear() { statements = [:] }
}

/// The statement of a glance. Each of its look-ups uses an index; a single look-up would make SQLite build temporary
/// tables each time.
private struct GlanceQuery: Hashable {
  /// Whether the program's decisions are all about one file.
  var isOneFile: Bool
  /// Whether the program is an agent in a folder. If so, denials for the program without a folder apply to it as well.
  var isInFolder: Bool
  /// Whether the folder is unknown, so that denials for the agent's label in every folder apply to it as well.
  var isInAnyFolder: Bool
  /// The number of keys of scopes that cover an asked scope; `nil` if decisions with any scope are looked up.
  var covering: Int?
  /// The number of ranges of keys inside an asked scope.
  var inside: Int
  /// Whether the last of these ranges is about what is allowed, not about what is denied.
  var isAboutLines: Bool

  /// The number of parameters before the keys of scopes.
  private var fixed: Int { isInFolder ? 11 : 8 }

  /// Whether the statement is kept. A program chooses the numbers of keys and ranges, so only statements with few of
  /// them are kept, of which there are not many.
  fileprivate var isKept: Bool { (covering ?? 0) <= 64 && inside <= (isAboutLines ? 2 : 1) }

  fileprivate var sql: String {
    """
    \(isOneFile ? "" : StoreRows.otherFilesOfProgram)
    \(lookUp("decisions", "label = ?1", "?2"))
    \(isOneFile ? "" : "UNION ALL \(otherFiles)")
    UNION ALL \(lookUp("decisions", "label = ?1", "''", isRare: true))
    UNION ALL \(lookUp("decisions", "label = ?7", "?8", isRare: true))
    \(folders)
    UNION ALL \(mutes)
    UNION ALL SELECT '', '', '', x'', '', '', '', origin, NULL, 0, NULL, since FROM suspension
    """
  }

  /// The decisions about other files that the program's path had.
  private var otherFiles: String {
    lookUp(
      "files CROSS JOIN decisions", "label = ?1", "files.program",
      if: "label = ?1 AND program > ?2 AND program <= ?3")
  }

  /// The decisions for the agent's label alone in its folder, and those for the agent without a folder. If the agent is
  /// known by its path alone, the range of its programs includes the latter, which does no harm.
  private var folders: String {
    guard isInFolder else { return "" }
    return """
      UNION ALL \(lookUp("decisions", "label = ?1", "?9", isRare: true))
      UNION ALL \(lookUp("decisions", "label = ?1", "?10", isRare: true))
      UNION ALL SELECT \(columns), NULL FROM decisions
        WHERE program = ?11 AND program <> '' AND capability = '*'
      \(isInAnyFolder ? anyFolder : "")
      """
  }

  /// The denials and mutes for the agent's label alone, in whatever folder.
  private var anyFolder: String {
    """
    UNION ALL SELECT \(columns), NULL FROM decisions
      WHERE label = ?1 AND program BETWEEN char(9, 9) AND char(9, 10) AND verdict = 'deny'
        AND capability IN (?4, '*')
    """
  }

  /// The decisions that mute the program, or the label alone. A mute of the program applies under any label.
  private var mutes: String {
    """
    SELECT \(columns), NULL FROM decisions WHERE capability = '*'
      AND (program BETWEEN ?5 AND ?6 AND program <> '' OR label = ?1 AND program = '')
    """
  }

  /// - Parameters:
  ///   - isRare: Whether such decisions are rare, so that one check usually saves a look-up for each scope.
  ///   - condition: The condition of that check, if it differs from the condition of the look-up.
  private func lookUp(
    _ table: String, _ label: String, _ program: String, isRare: Bool = false, if condition: String? = nil
  ) -> String {
    let decisions = "\(label) AND decisions.program = \(program) AND capability = ?4"
    let start = "SELECT \(columns), NULL FROM"
    let first = condition ?? (isRare ? decisions : nil)
    let isThere = first.map { " AND EXISTS (SELECT 1 FROM decisions WHERE \($0))" } ?? ""
    guard let covering else { return "\(start) \(table) WHERE \(decisions)\(isThere)" }
    let number = fixed + 1
    // A list behind IN would be copied into a temporary table for each look-up.
    let keys = (number..<number + covering).map { "(?\($0))" }.joined(separator: ", ")
    let look = """
      \(start) (VALUES \(keys)) AS keys CROSS JOIN \(table) WHERE \(decisions) AND scope = keys.column1\(isThere)
      """
    // Inside an asked scope, only denials count. Those about all values cover it, so they have been found. A line with
    // holes is no part of an asked line, but can cover it.
    let ranges = (0..<inside).map { index in
      let key = number + covering + 2 * index
      let verdict = isAboutLines && index == inside - 1 ? "allow" : "deny"
      return """
        \(start) \(table) INDEXED BY decisions_by_verdict
        WHERE \(decisions) AND verdict = '\(verdict)' AND scope >= ?\(key) AND scope < ?\(key + 1) AND scope <> x''
        """
    }
    return ([look] + ranges).joined(separator: "\nUNION ALL ")
  }

  private var columns: String {
    StoreRows.qualifiedColumns
  }
}
