import Machine
import PermModel

/// The command lines that agents asked for, folder by folder. It is read from the newest entries of the journal.
struct CommandReading: Hashable, Sendable {
  /// The number of entries that are read at most.
  static let mostEntries = 20_000
  /// The number of entries to read in one call. It is limited so that other readers never wait long.
  private static let pageSize = 500

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

  /// Reads the newest entries, page by page.
  ///
  /// - Throws: `CancellationError` if the task is cancelled; errors of the store.
  static func read(_ store: any PermissionStore) async throws -> CommandReading {
    let filter = JournalFilter(capability: "commands", kinds: AskedCommands.kinds)
    var entries: [JournalEntry] = []
    var page = try store.journal(filter, .newest(pageSize))
    while let last = page.last, entries.count < mostEntries {
      entries += page
      await Task.yield()
      try Task.checkCancellation()
      page = try store.journal(filter, .older(than: last.id, pageSize))
    }
    return CommandReading(entries)
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
