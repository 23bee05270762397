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

  @Test("For a joined line in which a single command does more than look, that command is offered")
  func joined() {
    let asked = AskedCommands([
      entry("npm test -- src/a.ts 2>&1 | tail -5", at: 9), entry("git status && npm test -- src/b.ts", at: 8),
      entry("make && git push", at: 7), entry("cat a && ls", at: 6), entry("cd src && ./x a", at: 5),
      entry("cd src && ./x b", at: 4), entry("x a; y", at: 3), entry("x b; y", at: 2),
    ]) { $0.hasPrefix("src/") }
    let offers = Dictionary(uniqueKeysWithValues: asked.rows.map { ($0.line, $0.offer.text) })
    #expect(
      offers == [
        "npm test -- src/a.ts 2>&1 | tail -5": "npm test -- {file}",
        "git status && npm test -- src/b.ts": "npm test -- {file}",
        "make && git push": "make && git push", "cat a && ls": "cat a && ls",
        "cd src && ./x a": "cd src && ./x a", "cd src && ./x b": "cd src && ./x b", "x a; y": "x a; y",
        "x b; y": "x b; y",
      ])
  }
}
