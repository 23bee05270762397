import Foundation
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
      isInAnyFolder: subject.folder == .unknown, covering: scopes?.covering.count,
      inside: scopes?.inside.count ?? 0)
    // In the order of the numbers of the parameters.
    var arguments: [(any DatabaseValueConvertible)?] = [
      subject.label, programs.lowerBound, programs.upperBound, capability, muted.lowerBound, muted.upperBound,
      Subject.everyone.label, Subject.everyone.programText,
    ]
    if subject.folder != nil {
      let elsewhere = subject.inAnyFolder
      let here = Subject(label: subject.label, file: nil, folder: subject.folder)
      arguments += [here.programText, elsewhere.programText, elsewhere.muted.programText]
    }
    for key in scopes?.covering ?? [] { arguments.append(key.map { Data($0) }) }
    for range in scopes?.inside ?? [] { arguments += [Data(range.first), Data(range.after)] }
    return try glance(query.sql, StatementArguments(arguments))
  }

  /// Uses a single statement, because it then needs no transaction.
  private func glance(_ sql: String, _ arguments: StatementArguments) throws -> Glance {
    var glance = Glance()
    _ = try rows(sql, arguments) { row in
      if let since: Int64 = try row[11] {
        glance.suspension = Suspension(since: Timestamp(microseconds: since), origin: try origin(try row[7]))
      } else {
        glance.decisions.append(try decision(row))
      }
    }
    return glance
  }
}

/// The scopes that a decision about the given atoms can have.
private struct AskedScopes {
  /// The keys of the scopes that cover an asked scope, padded with `nil`.
  private(set) var covering: [[UInt8]?]
  /// The ranges of keys inside an asked scope that stands for several values.
  let inside: [(first: [UInt8], after: [UInt8])]

  init(_ atoms: Set<Atom>) {
    let scopes = Set(atoms.map(\.scope))
    covering =
      scopes.count == 1 ? scopes.flatMap(\.candidateKeys) : Array(Set(scopes.flatMap(\.candidateKeys)))
    inside = scopes.filter { !$0.isValue }.map(\.keysInside)
    // A few lengths, so that few statements have to be prepared.
    let length = sequence(first: 4) { $0 * 2 }.first { $0 >= covering.count } ?? covering.count
    covering += repeatElement(nil, count: length - covering.count)
  }
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

  /// The number of parameters before the keys of scopes.
  private var fixed: Int { isInFolder ? 11 : 8 }
  private static let texts = Lock<[GlanceQuery: String]>([:])

  /// The text of the statement. It is composed once, because composing it takes as long as running it.
  var sql: String {
    Self.texts.withLock { texts in
      if let known = texts[self] { return known }
      let new = text
      texts[self] = new
      return new
    }
  }

  private var text: String {
    """
    \(isOneFile ? "" : StoreRows.filesOfProgram)
    \(lookUp(isOneFile ? "decisions" : "files CROSS JOIN decisions", "label = ?1", isOneFile ? "?2" : "files.program"))
    UNION ALL \(lookUp("decisions", "label = ?1", "''", isRare: true))
    UNION ALL \(lookUp("decisions", "label = ?7", "?8", isRare: true))
    \(folders)
    UNION ALL \(mutes)
    UNION ALL SELECT '', '', '', x'', '', '', '', origin, NULL, 0, NULL, since FROM suspension
    """
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

  /// The decisions that mute the program. The first look-up ignores the label, because a mute applies under any label.
  private var mutes: String {
    """
    SELECT \(columns), NULL FROM decisions
      WHERE program BETWEEN ?5 AND ?6 AND program <> '' AND capability = '*'
    UNION ALL SELECT \(columns), NULL FROM decisions WHERE label = ?1 AND program = '' AND capability = '*'
    """
  }

  /// - Parameter isRare: Whether there are usually no such decisions, so that a first look saves looking for each scope.
  private func lookUp(_ table: String, _ label: String, _ program: String, isRare: Bool = false) -> String {
    let decisions = "\(label) AND decisions.program = \(program) AND capability = ?4"
    let start = "SELECT \(columns), NULL FROM"
    guard let covering else { return "\(start) \(table) WHERE \(decisions)" }
    let first = fixed + 1
    // A list behind IN would be copied into a temporary table for each look-up.
    let keys = (first..<first + covering).map { "(?\($0))" }.joined(separator: ", ")
    let isThere = isRare ? " AND EXISTS (SELECT 1 FROM decisions WHERE \(decisions))" : ""
    let look = """
      \(start) (VALUES \(keys)) AS keys CROSS JOIN \(table) WHERE \(decisions) AND scope = keys.column1\(isThere)
      """
    // Inside an asked scope, only denials count.
    let ranges = (0..<inside).map { number in
      let key = first + covering + 2 * number
      return
        "\(start) \(table) WHERE \(decisions) AND verdict = 'deny' AND scope >= ?\(key) AND scope < ?\(key + 1)"
    }
    return ([look] + ranges).joined(separator: "\nUNION ALL ")
  }

  private var columns: String {
    StoreRows.decisionColumns.replacing("program", with: "decisions.program")
  }
}
