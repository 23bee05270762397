import PermModel

/// The command lines that agents asked for, folder by folder.
struct CommandsPage: Hashable, Sendable {
  /// The number of entries of the journal from which the lines are taken, the newest.
  static let mostEntries = 20_000
  /// The entries that say what was asked for.
  static let filter = JournalFilter(capability: "commands", kinds: [.asked, .automatic])

  /// The lines, program by program. The program that asked for a line most often comes first.
  let rows: [AskedCommands.Row]
  private let places: [Key: Int]

  private struct Key: Hashable {
    var subject: Subject
    var line: String
  }

  /// - Parameters:
  ///   - entries: The entries of the journal, the newest first.
  ///   - isFile: Whether a word, the first parameter, is a file or folder in a folder, the second one.
  init(_ entries: [JournalEntry], isFile: (String, String) -> Bool) {
    let folders = Dictionary(grouping: entries.filter { $0.subject?.folder != nil }) {
      $0.subject?.folder?.path
    }
    let asked = folders.flatMap { path, entries in
      AskedCommands(entries) { isFile($0, path ?? "") }.rows
    }
    let programs = Dictionary(grouping: asked, by: \.subject).values
    rows = programs.sorted { Self.isBefore($0[0], $1[0]) }.flatMap(\.self)
    places = Dictionary(
      zip(rows.map { Key(subject: $0.subject, line: $0.line) }, rows.indices),
      uniquingKeysWith: { first, _ in first })
  }

  private static func isBefore(_ one: AskedCommands.Row, _ other: AskedCommands.Row) -> Bool {
    (other.count, other.lastAt, one.line) < (one.count, one.lastAt, other.line)
  }

  subscript(program: Subject, line: String) -> AskedCommands.Row? {
    places[Key(subject: program, line: line)].map { rows[$0] }
  }
}
