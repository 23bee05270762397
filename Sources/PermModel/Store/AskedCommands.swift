/// The command lines that programs asked for, and how often.
package struct AskedCommands: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package var subject: Subject
    package var line: String
    /// How often the line was asked for. If several lines were answered by one decision within a minute, each of them is
    /// counted once.
    package var count = 0
    package var lastAt: Timestamp
    /// The widest scope that a person could keep for this line, or for the only command in it that does more than look: a
    /// command form, a line with holes, or the line.
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
      guard let command = row.command else { continue }
      let others = some.filter { $0.subject == row.subject && $0.line != row.line }
      rows[index].offer = Self.offer(for: command, others.flatMap(\.commands), isFile) ?? row.offer
    }
  }

  /// Returns the form of a command, or the line with holes that covers it and another one; `nil` if there is neither.
  private static func offer(
    for command: String, _ others: [String], _ isFile: (String) -> Bool
  ) -> Scope? {
    if let form = CommandForm(of: command), !form.isOpen { return .form(form.name) }
    let words = CertainLine(command)?.commands.flatMap { $0.words.map(\.value) } ?? []
    let files = Set(words.flatMap(HoledLine.paths).filter(isFile))
    return others.lazy.compactMap { HoledLine(covering: command, $0, files: files) }.first.map { .lines($0) }
  }
}

extension AskedCommands.Row {
  /// The commands of the line, where it can be taken apart.
  fileprivate var commands: [String] { ShellLine(line).inFolder?.parts ?? ShellLine(line).parts }

  /// The command that something could be kept for, so that the line is allowed: the only one in a joined line that does
  /// more than look. In another folder, nothing that is kept for this one counts.
  fileprivate var command: String? {
    guard ShellLine(line).inFolder == nil else { return nil }
    let acting = commands.filter { CommandForm(of: $0)?.onlyLooks != true }
    return commands.count == 1 ? commands.first : acting.count == 1 ? acting.first : nil
  }
}

extension Atom {
  /// The command line that the atom is about; `nil` if it is about something else.
  fileprivate var line: String? { if case .command(let line) = scope { line } else { nil } }
}
