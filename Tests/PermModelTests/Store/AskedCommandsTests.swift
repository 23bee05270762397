import Testing

@testable import PermModel

@Suite("The command lines that were asked for")
struct AskedCommandsTests {
  private let claude = Subject(label: "claude")

  private func entry(
    _ lines: String..., at seconds: Int64, _ kind: JournalEntry.Kind = .asked, count: Int = 1
  ) -> JournalEntry {
    var entry = JournalEntry(
      at: Timestamp(seconds: seconds), kind: kind, subject: claude, capability: "commands")
    let atoms = lines.map { Atom("commands", "run", .command($0)) }
    if kind == .asked {
      entry.atoms = Set(atoms)
    } else {
      (entry.atoms, entry.values) = ([Atom("commands", "run", .form("ls"))], atoms)
    }
    entry.count = count
    return entry
  }

  @Test("Each line is listed once for each program, the most frequent first")
  func counts() {
    let asked = AskedCommands([
      entry("ls", "pwd", at: 9, .automatic, count: 7), entry("ls", at: 5, .automatic, count: 3),
      entry("./x", at: 3),
      entry("ls", at: 2),
    ]) { _ in false }
    #expect(asked.rows.map(\.line) == ["ls", "pwd", "./x"])
    #expect(asked.rows.map(\.count) == [5, 1, 1])
    #expect(asked.rows.map(\.lastAt) == [9, 9, 3].map { Timestamp(seconds: $0) })
  }

  @Test("A line is offered as its form, or with the word that differs as a hole, or as it is")
  func offers() {
    let asked = AskedCommands([
      entry("git status -s", at: 5), entry("npm test -- src/a.ts", at: 4),
      entry("npm test -- src/b.ts", at: 3),
      entry("./x $a", at: 2), entry("tmux ls", at: 1),
    ]) { $0.hasPrefix("src/") }
    let offers = Dictionary(uniqueKeysWithValues: asked.rows.map { ($0.line, $0.offer.text) })
    #expect(
      offers == [
        "git status -s": "git status …", "npm test -- src/a.ts": "npm test -- {file}",
        "npm test -- src/b.ts": "npm test -- {file}", "./x $a": "./x $a", "tmux ls": "tmux ls",
      ])
  }
}
