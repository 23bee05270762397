import Foundation
import Testing

@testable import PermModel

/// The rules by which decisions about values outweigh each other, in a table that can be checked by eye.
@Suite("Which decision counts")
struct PrecedenceTests {
  /// One row: the decisions in the order in which they were made, the question, and the state that follows. Besides
  /// decisions, there can be facts: `form` names a command form whose conditions hold here, `link` the name under which
  /// the path was asked for, `named` another name of the file that was denied, `file` a word of the line that is
  /// a file in the agent's folder, `out` one that leads out of it, `here` and
  /// `below` the folder to which the line changes, and `elsewhere` says that an agent runs
  /// the line in another folder. The lifetime of an `ended` decision is over.
  struct Row: CustomTestStringConvertible, Sendable {
    var decisions: [String]
    var question: String
    var state: AtomState

    init(_ decisions: String..., asked question: String, is state: AtomState) {
      (self.decisions, self.question, self.state) = (decisions, question, state)
    }

    var testDescription: String { "\(decisions.joined(separator: "; ")) → \(question): \(state)" }
  }

  static let rows = [
    // No decision covers the question.
    Row(asked: "files:read@/a", is: .undecided),
    Row("allow files:read@/b", asked: "files:read@/a", is: .undecided),
    Row("allow files:read@/a/b", asked: "files:read@/a/", is: .undecided),
    Row("allow files:read@/a", asked: "files:write@/a", is: .undecided),
    Row("deny files:write@/a", asked: "files:read@/a", is: .undecided),
    Row("allow files:read@/a", asked: "files:read@/a/", is: .undecided),
    // One decision.
    Row("allow files:read@/a/", asked: "files:read@/a/b", is: .allowed),
    Row("allow files:read@/a/", asked: "files:read@/a", is: .allowed),
    Row("allow files:read@*", asked: "files:read@/a/", is: .allowed),
    Row("deny files:read@/a/", asked: "files:read@/a/b/c", is: .denied),
    Row("allow files:write@/a/", asked: "files:read@/a/b", is: .allowed),
    Row("deny files:read@/a/", asked: "files:write@/a/b", is: .denied),
    // The narrowest decision counts, in whichever order they were made.
    Row("allow files:read@/a/", "deny files:read@/a/b", asked: "files:read@/a/b", is: .denied),
    Row("deny files:read@/a/b", "allow files:read@/a/", asked: "files:read@/a/b", is: .denied),
    Row("deny files:read@/a/", "allow files:read@/a/b", asked: "files:read@/a/b", is: .allowed),
    Row("deny files:read@/a/", "allow files:read@/a/b", asked: "files:read@/a/c", is: .denied),
    Row(
      "allow files:read@*", "deny files:read@/a/", "allow files:read@/a/b/", asked: "files:read@/a/b/c",
      is: .allowed),
    Row("deny files:read@/a/", "allow files:write@/a/b", asked: "files:read@/a/b", is: .allowed),
    // At the same scope, the latest decision counts, also through implied parts.
    Row("allow files:read@/a", "deny files:read@/a", asked: "files:read@/a", is: .denied),
    Row("deny files:read@/a", "allow files:read@/a", asked: "files:read@/a", is: .allowed),
    Row("deny files:read@/a", "allow files:write@/a", asked: "files:read@/a", is: .allowed),
    Row("allow files:write@/a", "deny files:read@/a", asked: "files:write@/a", is: .denied),
    // A decision that has ended has no effect, and the wider one counts again.
    Row("allow files:read@/a/", "ended deny files:read@/a/b", asked: "files:read@/a/b", is: .allowed),
    Row("deny files:read@/a/", "ended allow files:read@/a/b", asked: "files:read@/a/b", is: .denied),
    // A question for several values.
    Row("allow files:read@/a/", "deny files:read@/a/b/c", asked: "files:read@/a/", is: .denied),
    Row("allow files:read@/a/", "deny files:read@/a/b/c", asked: "files:read@/a/d/", is: .allowed),
    Row("allow files:read@*", "deny files:read@/a/b", asked: "files:read@*", is: .denied),
    Row("allow files:write@/a/", "deny files:read@/a/b", asked: "files:write@/a/", is: .denied),
    // Everyone.
    Row("everyone files:read@/a/", "allow files:read@/a/b", asked: "files:read@/a/b", is: .denied),
    Row("everyone files:read@/a/b", "allow files:read@/a/", asked: "files:read@/a/c", is: .allowed),
    Row("everyone files:read@/a/b", "allow files:read@/a/", asked: "files:read@/a/", is: .denied),
    Row("everyone files:read@/a/", asked: "files:write@/a/b", is: .denied),
    // Hosts, commands and names.
    Row("allow network:connect@a.org", asked: "network:connect@a.org:443", is: .allowed),
    Row("allow network:connect@a.org:443", asked: "network:connect@a.org:80", is: .undecided),
    Row("allow network:connect@*.a.org", asked: "network:connect@a.org:443", is: .undecided),
    Row(
      "deny network:connect@*.a.org", "allow network:connect@b.a.org", asked: "network:connect@b.a.org:443",
      is: .allowed),
    Row("allow commands:run@ls", asked: "commands:run@ls -l", is: .undecided),
    Row("deny cloud:read", "allow cloud:read@nas", asked: "cloud:read@nas", is: .allowed),
    Row("allow cloud:write@nas", asked: "cloud:read@nas", is: .allowed),
    // Forms of commands. An allow counts only if the form's conditions hold; a denial always counts.
    Row(
      "form git status", "allow commands:run@git status …", asked: "commands:run@git status -s", is: .allowed),
    Row("allow commands:run@git status …", asked: "commands:run@git status -s", is: .undecided),
    Row("deny commands:run@git status …", asked: "commands:run@git status -s", is: .denied),
    Row(
      "form git status", "allow commands:run@git status …", asked: "commands:run@git status --porcel=X",
      is: .undecided),
    Row(
      "form git status", "allow commands:run@git status …", "deny commands:run@git status -s",
      asked: "commands:run@git status -s", is: .denied),
    // Lines with holes. The words in them must be what they say, in the agent's folder. A denial is about their beginning.
    Row("file a", "allow commands:run@x {file}", asked: "commands:run@x a", is: .allowed),
    Row("file b", "allow commands:run@x {file}", asked: "commands:run@x a", is: .undecided),
    Row("allow commands:run@x {word}", asked: "commands:run@x a", is: .undecided),
    Row("file b", "allow commands:run@x {word}", asked: "commands:run@x a", is: .allowed),
    Row("out a", "allow commands:run@x {word}", asked: "commands:run@x a", is: .undecided),
    Row("out a", "allow commands:run@x --y={name}", asked: "commands:run@x --y=a", is: .undecided),
    Row("file a", "allow commands:run@x {file}", asked: "commands:run@x a && x a 2>&1", is: .allowed),
    Row("deny commands:run@x y {word}", asked: "commands:run@sudo x y", is: .denied),
    Row(
      "file a", "deny commands:run@x …", "allow commands:run@x {file}", asked: "commands:run@x a",
      is: .allowed),
    Row(
      "file a", "allow commands:run@x {file}", "everyone commands:run@x …", asked: "commands:run@x a",
      is: .denied),
    // Joined lines.
    Row("allow commands:run@a", "allow commands:run@b c", asked: "commands:run@a && b c", is: .allowed),
    Row("allow commands:run@a", asked: "commands:run@a && b", is: .undecided),
    Row("allow commands:run@a; b", asked: "commands:run@a; b", is: .allowed),
    Row("allow commands:run@a; b", asked: "commands:run@a;  b", is: .undecided),
    Row("allow commands:run@a; b", "deny commands:run@b", asked: "commands:run@a; b", is: .denied),
    Row(
      "deny commands:run@a; b", "allow commands:run@a", "allow commands:run@b", asked: "commands:run@a; b",
      is: .denied),
    Row("deny commands:run@*", "allow commands:run@a; b", asked: "commands:run@a; b", is: .allowed),
    Row("deny commands:run@*", "allow commands:run@a", asked: "commands:run@a; b", is: .denied),
    Row(
      "deny commands:run@*", "allow commands:run@a", "allow commands:run@b", asked: "commands:run@a; b",
      is: .allowed),
    Row("everyone commands:run@b", "allow commands:run@*", asked: "commands:run@a || b", is: .denied),
    Row("policy commands:run@b", "allow commands:run@*", asked: "commands:run@a || b", is: .restricted),
    Row("allow commands:run@a", "allow commands:run@b", asked: "commands:run@cd x && a", is: .undecided),
    Row("here x", "allow commands:run@a", asked: "commands:run@cd x && a", is: .allowed),
    Row("here x", "allow commands:run@a", asked: "commands:run@cd x; a", is: .undecided),
    Row("here x", "allow commands:run@a", asked: "commands:run@cd x && a || a", is: .undecided),
    Row("below x", "allow commands:run@a", asked: "commands:run@cd x && a", is: .undecided),
    Row("below x", "deny commands:run@a", asked: "commands:run@cd x && a", is: .denied),
    Row(
      "below x", "form ls", "form wc", "allow commands:run@ls …", "allow commands:run@wc …",
      asked: "commands:run@cd x && ls -l | wc -l", is: .allowed),
    Row("allow commands:run@a", "allow commands:run@b", asked: "commands:run@a > b", is: .undecided),
    Row("allow commands:run@a", "allow commands:run@sh", asked: "commands:run@a | sh", is: .undecided),
    Row(
      "form git log", "form head", "allow commands:run@git log …", "allow commands:run@head …",
      asked: "commands:run@git log -p | head -n20", is: .allowed),
    // Lines that are always asked about, and lines in another folder.
    Row("allow commands:run@tmux new", asked: "commands:run@tmux new", is: .undecided),
    Row("allow commands:run@*", asked: "commands:run@sudo permtui allow a b", is: .undecided),
    Row("deny commands:run@tmux new", asked: "commands:run@tmux new", is: .denied),
    Row(
      "allow commands:run@a", "allow commands:run@tmux new", asked: "commands:run@a; tmux new", is: .undecided
    ),
    Row("elsewhere", "allow commands:run@make", asked: "commands:run@make", is: .undecided),
    Row("elsewhere", "allow commands:run@*", asked: "commands:run@make", is: .undecided),
    Row(
      "elsewhere", "form git log", "allow commands:run@git log …", asked: "commands:run@git log -p",
      is: .allowed),
    Row("elsewhere", "allow commands:run@git log …", asked: "commands:run@git log -p", is: .undecided),
    Row("elsewhere", "deny commands:run@make", asked: "commands:run@make", is: .denied),
    // Protected names.
    Row("allow files:write@/a/", asked: "files:write@/a/.git/config", is: .undecided),
    Row("allow files:write@*", asked: "files:write@/a/.ssh/config", is: .undecided),
    Row("allow files:write@/a/.ssh/", asked: "files:write@/a/.ssh/config", is: .undecided),
    Row("allow files:write@/a/.ssh/config", asked: "files:write@/a/.ssh/config", is: .allowed),
    Row("allow files:write@/a/", asked: "files:read@/a/.ssh/config", is: .allowed),
    Row("allow files:write@/a/", asked: "files:write@/a/", is: .allowed),
    Row("allow files:write@/a/", asked: "files:write@/a/.ssh/", is: .undecided),
    Row("allow files:write@/a/.ssh/", asked: "files:write@/a/.ssh/", is: .undecided),
    Row("deny files:write@/a/", asked: "files:write@/a/.ssh/config", is: .denied),
    // Links: either name can deny.
    Row("link /l/b", "allow files:read@/a/", asked: "files:read@/a/b", is: .allowed),
    Row("link /l/b", "allow files:read@/a/", "deny files:read@/l/", asked: "files:read@/a/b", is: .denied),
    Row("link /l/b", "allow files:read@/l/", asked: "files:read@/a/b", is: .undecided),
    Row(
      "link /l/b", "everyone files:read@/l/b", "allow files:read@/a/b", asked: "files:read@/a/b", is: .denied),
    Row(
      "link /l/b", "policy files:read@/l/", "allow files:read@/a/b", asked: "files:read@/a/b", is: .restricted
    ),
    Row("link /l/.ssh/b", "allow files:write@/a/", asked: "files:write@/a/b", is: .undecided),
    // A path in doubt can be allowed only exactly, and no longer than the process lives.
    Row("doubt", "allow files:write@/a/", asked: "files:write@/a/b", is: .undecided),
    Row("doubt", "allow files:write@/a/b", asked: "files:write@/a/b", is: .undecided),
    Row("doubt", "deny files:write@/a/", asked: "files:write@/a/b", is: .denied),
    // A file with several names could be a protected one.
    Row("linked", "allow files:write@/a/", asked: "files:write@/a/b", is: .undecided),
    Row("linked", "allow files:write@/a/b", asked: "files:write@/a/b", is: .allowed),
    Row("linked", "allow files:read@/a/", asked: "files:read@/a/b", is: .allowed),
    // A file with a second name that was denied. A denied folder does not cover the names elsewhere.
    Row("named /c", "allow files:read@/a/", "deny files:read@/c", asked: "files:read@/a/b", is: .denied),
    Row("named /c", "allow files:read@/a/", "everyone files:read@/c", asked: "files:read@/a/b", is: .denied),
    Row("linked", "allow files:read@/a/", "deny files:read@/d/", asked: "files:read@/a/b", is: .allowed),
    // The machine's policy counts before everything else.
    Row("policy files:read@/a/b", "allow files:read@/a/", asked: "files:read@/a/b", is: .restricted),
    Row("policy files:read@/a/b", "allow files:read@/a/", asked: "files:read@/a/", is: .restricted),
    Row("policy files:read@/a/b", "allow files:read@/a/", asked: "files:read@/a/c", is: .allowed),
  ]

  @Test("Each row of the table", arguments: rows)
  func state(_ row: Row) throws {
    #expect(try Self.decided(row).state(of: Self.atom(row.question)) == row.state)
  }

  @Test("During a panic, everything is denied", arguments: rows)
  func panic(_ row: Row) throws {
    let state = try Self.decided(row, isSuspended: true).state(of: Self.atom(row.question))
    #expect(state == (row.state == .restricted ? .restricted : .denied))
  }

  @Test("docs/values.md has the same table")
  func page() throws {
    let folder = #filePath.components(separatedBy: "/Tests/")[0]
    let path = "\(folder)/docs/values.md"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let (start, end) = ("<!-- The rows of PrecedenceTests. -->\n", "<!-- The end of the rows. -->\n")
    let pieces = text.components(separatedBy: start).flatMap { $0.components(separatedBy: end) }
    try #require(pieces.count == 3)
    if ProcessInfo.processInfo.environment["PERMTUI_UPDATE_GOLDENS"] != nil {
      try (pieces[0] + start + Self.table + end + pieces[2]).write(
        toFile: path, atomically: true, encoding: .utf8)
    } else {
      #expect(
        pieces[1] == Self.table, "docs/values.md is out of date: run the tests with PERMTUI_UPDATE_GOLDENS=1")
    }
  }

  private static var table: String {
    let lines = rows.map { row in
      let decisions = row.decisions.map(code).joined(separator: ", ")
      return "| \(decisions.isEmpty ? "none" : decisions) | \(code(row.question)) | \(row.state) |"
    }
    return (["| Decisions and facts | Asked | State |", "| --- | --- | --- |"] + lines).joined(
      separator: "\n") + "\n"
  }

  private static func code(_ text: String) -> String {
    "`\(text.replacingOccurrences(of: "|", with: "\\|"))`"
  }

  private static func decided(_ row: Row, isSuspended: Bool = false) throws -> DecidedAtoms {
    let question = try atom(row.question)
    let definition = try #require(CapabilityCatalogue.builtIn[question.capability]?.definition)
    var decisions: [Decision] = []
    var restricted: Set<Atom> = []
    var facts = ValueFacts()
    for (number, text) in row.decisions.enumerated() {
      let words = text.split(separator: " ", maxSplits: 1).map(String.init)
      switch words[0] {
      case "policy": restricted.insert(try atom(words[1]))
      case "form": facts.forms.insert(words[1])
      case "elsewhere": facts.isElsewhere = true
      case "file": facts.words = WordFacts(files: [words[1]])
      case "here": facts.words = WordFacts(here: [words[1]])
      case "below": facts.words = WordFacts(below: [words[1]])
      case "out": facts.words = WordFacts(leadingOut: [words[1]])
      case "doubt": facts.paths = [PathFact(scope: question.scope, doubt: "it is too slow")]
      case "linked":
        facts.paths = [PathFact(scope: question.scope, file: LinkedFile(device: 1, inode: 1))]
      case "link":
        facts.paths = [PathFact(scope: question.scope, spelling: .path(try AbsolutePath(words[1])))]
      case "named":
        facts.paths = [
          PathFact(
            scope: question.scope, file: LinkedFile(device: 1, inode: 1),
            deniedLinks: [.path(try AbsolutePath(words[1]))])
        ]
      case "ended":
        decisions.append(try decision(words[1], number, until: now.wall))
      default: decisions.append(try decision(text, number))
      }
    }
    decisions = decisions.filter { $0.isInForce(at: now) }
    return DecidedAtoms(
      definition, decisions: decisions, restricted: restricted, isSuspended: isSuspended, facts: facts,
      protected: ProtectedNamesTests.names)
  }

  private static let now = Moment(
    wall: Timestamp(seconds: 1_000), bootID: "boot", bootTime: 1_000_000_000, session: { "" },
    isRunning: { _ in true })

  private static func decision(_ text: String, _ number: Int, until end: Timestamp? = nil) throws -> Decision
  {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    let deadline = end.map { Deadline(wall: $0, bootID: now.bootID, bootTime: now.bootTime) }
    return Decision(
      subject: words[0] == "everyone" ? .everyone : Subject(label: "p"), atom: try atom(words[1]),
      verdict: words[0] == "allow" ? .allow : .deny, lifetime: deadline.map { .until($0) } ?? .forever,
      origin: .commandLine, decidedAt: Timestamp(seconds: Int64(number)))
  }

  private static func atom(_ text: String) throws -> Atom {
    try #require(try CapabilityCatalogue.builtIn.parse(text).atoms.first)
  }
}
