import Machine
import PermModel

/// The command lines that agents asked for, folder by folder.
struct CommandsPage: Hashable, Sendable {
  /// The number of entries of the journal from which the lines are taken, the newest.
  static let mostEntries = 20_000

  /// The lines, program by program. The program that asked for a line most often comes first.
  let rows: [AskedCommands.Row]
  private let places: [Key: Int]

  private struct Key: Hashable {
    var subject: Subject
    var line: String
  }

  init(_ entries: [JournalEntry]) {
    let folders = Dictionary(grouping: entries.filter { $0.subject?.folder != nil }) {
      $0.subject?.folder?.path
    }
    let asked = folders.flatMap { path, entries in
      AskedCommands(entries, in: path ?? "").rows
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

extension AskedCommands {
  /// The kinds of the entries that say what was asked for.
  static let kinds: Set<JournalEntry.Kind> = [.asked, .automatic]

  /// - Parameters:
  ///   - entries: The entries of the journal about agents in a folder, the newest first.
  ///   - folder: The path of the folder.
  init(_ entries: [JournalEntry], in folder: String) {
    self.init(entries) { word in
      let path = word.hasPrefix("/") ? word : "\(folder)/\(word)"
      return Paths.resolved(path).map { $0.hasPrefix(folder + "/") } ?? false
    }
  }
}
