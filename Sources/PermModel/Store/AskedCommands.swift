/// The command lines that programs asked for, and how often.
package struct AskedCommands: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package var subject: Subject
    package var line: String
    /// How often the line was asked for. If several lines were answered by one decision within a minute, each of them is
    /// counted once.
    package var count = 0
    package var lastAt: Timestamp
    /// The widest scope that a person could keep for this line: a command form, a line with holes, or the line.
    package var offer: Scope
  }

  /// The rows, the most frequent first.
  package private(set) var rows: [Row] = []

  private struct Key: Hashable {
    var subject: Subject
    var line: String
  }

  /// - Parameters:
  ///   - entries: The entries of the journal, the newest first.
  ///   - isFile: Whether a word is a file or folder in the folder in which the lines run.
  package init(_ entries: [JournalEntry], isFile: (String) -> Bool) {
    var found: [Key: Row] = [:]
    for entry in entries where entry.capability == "commands" {
      guard let subject = entry.subject else { continue }
      let lines = Set(entry.atoms + entry.values).compactMap(\.line)
      for line in lines {
        let key = Key(subject: subject, line: line)
        var row = found[key] ?? Row(subject: subject, line: line, lastAt: entry.at, offer: .command(line))
        row.count += lines.count == 1 ? max(1, entry.count) : 1
        row.lastAt = max(row.lastAt, entry.lastAt ?? entry.at)
        found[key] = row
      }
    }
    rows = found.values.sorted { ($1.count, $1.lastAt, $0.line) < ($0.count, $0.lastAt, $1.line) }
    addOffers(isFile)
  }

  /// The number of lines that are compared with all others.
  private static let mostCompared = 100

  private mutating func addOffers(_ isFile: (String) -> Bool) {
    let some = rows.prefix(Self.mostCompared)
    for index in some.indices {
      let row = rows[index]
      if let form = CommandForm(of: row.line), !form.isOpen {
        rows[index].offer = .form(form.name)
        continue
      }
      let words = CertainLine(row.line)?.commands.flatMap { $0.words.map(\.value) } ?? []
      let files = Set(words.flatMap(HoledLine.paths).filter(isFile))
      let others = some.filter { $0.subject == row.subject && $0.line != row.line }
      let lines = others.lazy.compactMap { HoledLine(covering: row.line, $0.line, files: files) }.first
      if let lines { rows[index].offer = .lines(lines) }
    }
  }
}

extension Atom {
  /// The command line that the atom is about; `nil` if it is about something else.
  fileprivate var line: String? { if case .command(let line) = scope { line } else { nil } }
}
