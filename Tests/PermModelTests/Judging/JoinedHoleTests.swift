import Machine
import Testing

@testable import PermModel

/// A line with holes that was kept counts as one of the commands of a joined line, and as nothing else.
@Suite("Lines with holes in joined lines", .timeLimit(.minutes(5)))
struct JoinedHoleTests {
  private static let agent = Subject(
    label: "claude", path: "/usr/bin/claude", file: nil,
    folder: ProgramFolder(path: "/srv/app", device: 1, inode: 2))

  private static func decision(
    _ verdict: Verdict, _ text: String, everyone: Bool = false, at moment: Int64 = 1
  ) throws -> Decision {
    let atom = try #require(try CapabilityCatalogue.builtIn.parse("commands:run@\(text)").atoms.first)
    return Decision(
      subject: everyone ? .everyone : agent, atom: atom, verdict: verdict, lifetime: .forever,
      origin: .library, decidedAt: Timestamp(microseconds: moment))
  }

  /// The decisions that were kept: lines with holes, an exact line, and forms.
  private static let kept = [
    "x {file}", "x {text}", "t -- {file}", "rm -rf {dist|coverage}", "git commit -m {text}", "e {word}", "y",
    "git status …", "cat …", "head …", "tail …", "wc …",
  ]

  private static func state(
    of line: String, _ others: [Decision] = [], writer: String? = nil
  ) throws -> AtomState {
    var facts = ValueFacts()
    facts.forms = ["git status", "cat", "head", "tail", "wc"]
    facts.words = WordFacts(
      files: ["a", "src/a.ts", "link"], leadingOut: ["out", "/etc", "../b"], here: ["here"], below: ["below"])
    facts.writer = writer
    let decisions = try kept.map { try decision(.allow, $0) } + others
    return DecidedAtoms(Capability.Commands.definition, decisions: decisions, facts: facts)
      .state(of: Atom("commands", "run", .command(line)))
  }

  @Test(
    "Each command is allowed by itself",
    arguments: [
      "x a && y", "y && x a", "x a; x src/a.ts", "x a || y", "x a | head -n 5", "x a 2>&1 | tail -5 | wc -l",
      "cat a && x a", "t -- src/a.ts >/dev/null 2>&1 || e none", "x a;x a", "x 'a'&&y",
      "git commit -m \"$(cat <<'EOF'\nTitle\n\n- a `b` && c; d | e\nEOF\n)\" && git status -s",
      "git status && git commit -m 'a && b; c' ; y", "rm -rf dist && rm -rf coverage", "x 'say: y; z' && y",
      "cd here && x a", "cd here && x a | head -n 1 && y",
    ])
  func allowed(line: String) throws { #expect(try Self.state(of: line) == .allowed, "\(line)") }

  @Test(
    "A line in which another command could change, read or hide something is asked about",
    arguments: [
      // Another command was not kept.
      "x a && z", "z || x a", "x a; x b; z", "x a | y | z", "x a && y a", "e a && e a b",
      // The word does not fit in one of the commands.
      "x a && x out", "x a; x ../b", "x a && x /etc", "x a && x -a", "x a; x missing", "x a && x a/",
      "rm -rf dist && rm -rf dist/", "rm -rf dist && rm -rf x", "x a && x =a", "x a && x @a", "e a && e a/b",
      // Behind a pipe stand only programs that read their input.
      "y | x a", "x a | x a", "cat a | x a", "x a | t -- a", "x a | cat out", "x a | sh", "x a | sort -o a",
      "x a |& head", "x a | rm -rf dist", "cd here && y | x a",
      // Something changes what the commands mean, or where they run.
      "cd below && x a", "cd out && x a", "cd here; x a", "cd here || x a", "x a && cd below && x a",
      "cd here && cd below && x a", "export PATH=. && x a", "PATH=. x a && y", "y && A=b x a",
      "alias x=y; x a", "set -- b; x a", ". ./e && x a", "source e && x a", "hash -p /z x && x a",
      "trap y EXIT; x a", "exec x a && y", "eval x a && y", "x() { z; }; x a", "unset x; x a", "x a && exit",
      "umask 0; x a", "pushd below && x a", "command x a && y", "builtin x a; y", "if y; then x a; fi",
      "while y; do x a; done", "! x a && y", "time x a && y", "{ x a; y; }", "(x a) && y", "[[ y ]] && x a",
      // Shells read it otherwise.
      "x a & y", "x a &", "x a && y &", "x a\ny", "x a &&\ny", "x a > f && y", "x a >> f; y", "x a < f && y",
      "x a &> /dev/null; y", "x a 2>&1y && y", "x $a && y", "x a && x $(y)", "x `y` && y", "x \"$a\" && y",
      "x * && y", "x a{b,c} && y", "x ~ && y", "y && x a #b", "x a && y; # z", "x a ;; y", "x a && && y",
      "&& x a", "x a;", "x a &&", "x a |", "x a \\\n&& z", "x a && 'y", "x a \u{a0}&& y", "x a\u{0}; y",
      "x a && y <<E\nz\nE", "x a\r; y", "x <(y) && y", "x a ; y ; z", "x a|&y",
      // A here-document that some shell ends earlier.
      "git commit -m \"$(cat <<'END'\na\nEND)\"; z; : \"\nEND\n)\" && y",
      "git commit -m \"$(cat <<EOF\n$(z)\nEOF\n)\" && y",
      // A hole is no hole in what is asked.
      "x {file} && y", "e {word}; y",
    ])
  func asked(line: String) throws { #expect(try Self.state(of: line) == .undecided, "\(line)") }

  @Test("A denial of one of the commands counts, for everyone before all")
  func denied() throws {
    for line in ["x a && y", "y; x a 2>&1 | head -n 1", "cd here && x a"] {
      let own = try Self.decision(.deny, "x a", at: 5)
      #expect(try Self.state(of: line, [own]) == .denied, "\(line)")
      let everyone = try Self.decision(.deny, "x …", everyone: true)
      #expect(try Self.state(of: line, [everyone]) == .denied, "\(line)")
      let wider = try Self.decision(.deny, "x …", at: 9)
      #expect(try Self.state(of: line, [wider]) == .allowed, "the line with holes is narrower: \(line)")
      let hidden = try Self.decision(.deny, "z …", everyone: true)
      #expect(try Self.state(of: "\(line) && e z", [hidden]) == .allowed)
    }
    #expect(try Self.state(of: "x a && echo z | sh", [Self.decision(.deny, "z …")]) == .undecided)
  }

  @Test("A line that runs the folder's files rests in a joined line, too, while a program may write there")
  func rests() throws {
    let tests = try Self.decision(.allow, "npm test -- {file}")
    for line in ["npm test -- src/a.ts", "npm test -- src/a.ts && y", "y; npm test -- a 2>&1 | tail -5"] {
      #expect(try Self.state(of: line, [tests]) == .allowed, "\(line)")
      #expect(try Self.state(of: line, [tests], writer: "claude") == .undecided, "\(line)")
    }
    #expect(try Self.state(of: "x a && y", [tests], writer: "claude") == .allowed)
  }

  @Test("More commands than are taken apart are asked about")
  func many() throws {
    func line(_ count: Int) -> String { Array(repeating: "x a", count: count).joined(separator: "; ") }
    #expect(try Self.state(of: line(32)) == .allowed)
    #expect(try Self.state(of: line(33)) == .undecided)
  }

  @Test("On this machine, the words of all commands are looked up where the agent works")
  func lookedUp() async throws {
    let answerer = try TestAnswerer()
    let folder = try #require(Paths.target(ofLink: "/proc/self/cwd"))
    let subject = Subject(
      label: "agent", path: "/opt/agent", file: FileIdentity(inode: 1, birth: 1),
      folder: ProgramFolder(at: folder))
    _ = try answerer.store.decide(
      Ruling(.allow, subject: subject, atoms: [Atom("files", "read")]), by: .commandLine)
    for text in ["x {file}", "head …"] {
      let atoms = try CapabilityCatalogue.builtIn.parse("commands:run@\(text)").atoms
      _ = try answerer.store.decide(Ruling(.allow, subject: subject, atoms: atoms), by: .commandLine)
    }
    let judge = Judge(of: subject, Capability.Commands.definition, under: .none)
    for (line, isAllowed) in [
      ("x Package.swift && x Sources 2>&1 | head -n 3", true), ("x Package.swift; x /etc", false),
      ("x Package.swift && x no-such-file", false), ("cd Sources && x Package.swift", false),
      ("cd ./ && x Package.swift", true),
    ] {
      var asked = AskedValues(capability: "commands")
      asked.others = [Atom("commands", "run", .command(line))]
      let process = AskingProcess(AskingProcess.own.identity, workingFolder: nil) { [["PATH": "/usr/bin"]] }
      let found = try await Lookup(in: answerer.store, home: "/home/ana").resolve(
        asked, by: process, for: judge)
      #expect(
        try answerer.store.judgement(on: found.atoms, found.facts, by: judge).isAllowed == isAllowed,
        "\(line)")
    }
  }
}
