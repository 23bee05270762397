import Foundation
import PermModel
import Testing

@testable import PermTUI

/// The table of docs/values.md, which PrecedenceTests compares with what requests get.
@Suite("Why says what a request would get")
struct WhyTableTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var facts: [String]
    var question: String
    var state: AtomState

    var testDescription: String { "\(facts.joined(separator: "; ")) → \(question): \(state)" }
  }

  static let rows: [Row] = {
    let folder = #filePath.components(separatedBy: "/Tests/")[0]
    let text = (try? String(contentsOfFile: "\(folder)/docs/values.md", encoding: .utf8)) ?? ""
    let table = text.components(separatedBy: "<!-- The rows of PrecedenceTests. -->\n").last?
      .components(separatedBy: "<!-- The end of the rows. -->").first
    return (table ?? "").split(separator: "\n").dropFirst(2).compactMap(row)
  }()

  private static func row(_ line: Substring) -> Row? {
    // A bar within a cell is escaped.
    let cells = line.replacing("\\|", with: "\u{0}").split(separator: "|").map {
      $0.replacing("\u{0}", with: "|").trimmingCharacters(in: .whitespaces)
    }
    guard cells.count == 3, let state = AtomState.allCases.first(where: { "\($0)" == cells[2] })
    else { return nil }
    let facts = cells[0] == "none" ? [] : cells[0].components(separatedBy: "`, `")
    let plain = CharacterSet(charactersIn: "`")
    return Row(
      facts: facts.map { $0.trimmingCharacters(in: plain) }, question: cells[1].trimmingCharacters(in: plain),
      state: state)
  }

  @Test("All rows were found")
  func count() { #expect(Self.rows.count >= 86) }

  @Test("Each row of the table", arguments: rows)
  func why(_ row: Row) throws {
    let subject = Subject(label: "p")
    let forbidden = row.facts.compactMap { $0.hasPrefix("policy ") ? String($0.dropFirst(7)) : nil }
    let shell = TestShell(policy: try policy(forbidden))
    let reference = try CapabilityCatalogue.builtIn.parse(row.question)
    let question = try #require(reference.atoms.first)
    var facts = ValueFacts()
    for text in row.facts {
      let words = text.split(separator: " ", maxSplits: 1).map(String.init)
      switch words[0] {
      case "policy": break
      case "form": facts.forms.insert(words[1])
      case "elsewhere": facts.isElsewhere = true
      case "file": facts.words = WordFacts(files: [words[1]])
      case "here": facts.words = WordFacts(here: [words[1]])
      case "below": facts.words = WordFacts(below: [words[1]])
      case "out": facts.words = WordFacts(leadingOut: [words[1]])
      case "doubt": facts.paths = [PathFact(scope: question.scope, doubt: "it is too slow")]
      case "linked": facts.paths = [PathFact(scope: question.scope, file: LinkedFile(device: 1, inode: 1))]
      case "link":
        facts.paths = [PathFact(scope: question.scope, spelling: .path(try AbsolutePath(words[1])))]
      case "named":
        facts.paths = [
          PathFact(
            scope: question.scope, file: LinkedFile(device: 1, inode: 1),
            deniedLinks: [.path(try AbsolutePath(words[1]))])
        ]
      case "ended":
        try decide(words[1], subject, .duration(.seconds(600)), in: shell)
        shell.pass(.seconds(600))
      default: try decide(text, subject, .forever, in: shell)
      }
    }
    let standing = try shell.store.standing(
      of: subject, capability: reference.capability, asking: facts.needed(for: reference.atoms))
    let outlook = AnswerOutlook(subject, reference, standing, facts: facts, in: shell.context())
    if case .unavailable? = outlook.end {
      #expect(reference.capability == "cloud")
    } else {
      #expect(outlook.end?.answer?.verdict == row.state.verdict)
    }
    let definition = try #require(CapabilityCatalogue.builtIn[reference.capability]?.definition)
    let judge = Judge(of: subject, definition, under: .none)
    let counting = judge.judgement(on: reference.atoms, standing, facts).use.decisions
    switch row.state {
    case .allowed, .denied:
      let named = try #require(outlook.counting?.decision)
      #expect(counting.contains(named) && outlook.decisions.first == named)
      #expect(named.verdict == (row.state == .allowed ? .allow : .deny))
    case .undecided:
      #expect(outlook.counting == nil)
      // The reason is not that nothing is decided if the list below it has an allow that covers the question.
      let allows = outlook.decisions.filter { $0.verdict == .allow && definition.covers($0.atom, question) }
      let isHeldBack = outlook.reason.contains(" was allowed, but ")
      #expect(isHeldBack || allows.isEmpty, "\(outlook.reason)")
      // Of a joined line, the allow of a single command can be held back.
      #expect(!isHeldBack || !allows.isEmpty || row.question.contains(";"), "\(outlook.reason)")
    case .restricted: #expect(outlook.reason == "the policy of this machine forbids it")
    }
  }

  private func decide(
    _ text: String, _ subject: Subject, _ lifetime: LifetimeChoice, in shell: TestShell
  ) throws {
    shell.pass(.seconds(1))
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    let ruling = Ruling(
      words[0] == "allow" ? .allow : .deny, subject: words[0] == "everyone" ? .everyone : subject,
      atoms: try CapabilityCatalogue.builtIn.parse(words[1]).atoms, lifetime: lifetime)
    try shell.store.decide(ruling, by: .commandLine)
  }

  private func policy(_ atoms: [String]) throws -> MachinePolicy {
    MachinePolicy(
      try atoms.map { text in
        let atom = try #require(try CapabilityCatalogue.builtIn.parse(text).atoms.first)
        return MachinePolicy.Restriction(capability: atom.capability, parts: [atom.text])
      })
  }

  @Test("An allow without effect is named, with the reason why the program would be asked about nevertheless")
  func heldBack() throws {
    let shell = TestShell()
    shell.run("allow", "p", "files:write@/srv/")
    shell.run("allow", "p", "commands:run@*")
    shell.run("allow", "p", "commands:run@git status …")
    let cases = [
      ("files:write@/srv/.git/config", "files:write@/srv/ was allowed, but "),
      ("commands:run@tmux new", "commands:run@* was allowed, but this is asked about each time"),
    ]
    for (question, reason) in cases {
      let outcome = shell.run("why", "p", question)
      #expect(outcome.output.contains("would be asked about: \(reason)"), "\(outcome.output)")
      #expect(outcome.status == 3)
    }
    shell.run("forget", "p", "commands:run@*")
    let joined = shell.run("why", "p", "commands:run@git status -s && x").output
    #expect(joined.contains("git status … was allowed, but the conditions of that form"), "\(joined)")
    shell.run("allow", "p", "commands:run@cat …")
    let missing = shell.run("why", "p", "commands:run@cat /no/such/file").output
    #expect(missing.contains("do not hold here, because it may not read /no/such/file"), "\(missing)")
    shell.run("allow", "p", "commands:run@*")
    let json = shell.run("why", "p", "commands:run@tmux new", "--json").output
    #expect(json.contains("was allowed, but this is asked about each time"), "\(json)")
    let other = shell.run("why", "p", "files:read@/home/x").output
    #expect(other.contains("would be asked about: nothing is decided"), "\(other)")
  }

  @Test("A line that the hook of Codex asks about each time is not said to be allowed")
  func codex() throws {
    let (shell, folder) = (TestShell(), FileManager.default.currentDirectoryPath)
    for program in ["codex", "claude"] {
      for line in ["make", "cksum /etc/hosts", "*"] {
        #expect(shell.run("allow", program, "commands:run@\(line)", "--in", folder).status == 0)
      }
      shell.run("deny", program, "commands:run@rm …", "--in", folder)
    }
    for line in ["make", "./x", "cd x && ls", "cd /; ls"] {
      let asked = shell.run("why", "codex", "commands:run@\(line)", "--in", folder)
      #expect(asked.status == 3, "\(line)")
      let reason = "asked about each time, because Codex does not say in which folder it runs a line"
      #expect(asked.output.contains(reason), "\(asked.output)")
      #expect(shell.run("why", "claude", "commands:run@\(line)", "--in", folder).status == 0)
    }
    for line in ["cksum /etc/hosts", "cd / && ls", "cd \(folder) && make"] {
      #expect(shell.run("why", "codex", "commands:run@\(line)", "--in", folder).status == 0, "\(line)")
    }
    #expect(shell.run("why", "codex", "commands:run@make; rm x", "--in", folder).status == 1)
  }

  @Test("The rule is named for a joined line and for a link, too")
  func rules() throws {
    let shell = TestShell()
    shell.run("allow", "p", "commands:run@a")
    shell.run("deny", "p", "commands:run@b")
    let line = shell.run("why", "p", "commands:run@a && b").output
    #expect(line.contains("would be denied: commands:run@b, which is part of it, was denied"), "\(line)")
    #expect(shell.run("why", "p", "commands:run@a && b", "--json").output.contains(#""rule":"line""#))
  }
}

extension AtomState {
  fileprivate var verdict: Verdict? {
    switch self {
    case .allowed: .allow
    case .denied, .restricted: .deny
    case .undecided: nil
    }
  }
}
