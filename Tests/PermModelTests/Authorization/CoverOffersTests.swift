import PermModelTesting
import Testing

@testable import PermModel

@Suite("The scopes that an alert offers")
struct CoverOffersTests {
  static let agent = Subject(
    label: "claude", path: "/usr/bin/claude", file: nil,
    folder: ProgramFolder(path: "/home/ana/src/app", device: 1, inode: 2))

  /// Returns the offers for a request for these values.
  static func offers(
    _ asked: String..., subject: Subject = agent, decisions: [(Verdict, String, Subject)] = [],
    details: ShownDetails? = nil, facts change: (inout ValueFacts) -> Void = { _ in }
  ) throws -> [CoverOffer] {
    let atoms = try Set(asked.flatMap { try CapabilityCatalogue.builtIn.parse($0).atoms })
    let capability = try #require(atoms.first?.capability)
    let definition = try #require(CapabilityCatalogue.builtIn[capability]?.definition)
    var facts = ValueFacts()
    facts.project = .folder(try AbsolutePath("/home/ana/src/app"))
    change(&facts)
    let request = Request(
      id: Request.ID("1"), subject: subject, capability: capability, atoms: atoms,
      askedAt: Timestamp(seconds: 0),
      details: details, facts: facts)
    let kept = try decisions.flatMap { verdict, text, subject in
      try CapabilityCatalogue.builtIn.parse(text).atoms.map { atom in
        Decision(
          subject: subject, atom: atom, verdict: verdict, lifetime: .forever, origin: .commandLine,
          decidedAt: Timestamp(seconds: 0))
      }
    }
    let decided = DecidedAtoms(
      definition, decisions: kept, facts: facts, protected: ProtectedNamesTests.names)
    return CoverOffers(request: request, open: atoms, decided: decided)
      .all
  }

  static func texts(_ offers: [CoverOffer]) -> [String?] { offers.map { $0.scope?.text } }

  @Test("For a file: the file, its folder, the project")
  func paths() throws {
    let offers = try Self.offers("files:read@/home/ana/src/app/a/b.txt")
    #expect(Self.texts(offers) == [nil, "/home/ana/src/app/a/", "/home/ana/src/app/"])
    #expect(offers.map(\.words).dropFirst() == ["all of ~/src/app/a/", "all of ~/src/app/"])
    #expect(offers.allSatisfy { $0.longest == nil })
  }

  @Test("For a folder that is named as an entry: the folder, all that is in it, the project")
  func namedFolder() throws {
    let folder = Scope.path(try AbsolutePath("/home/ana/src/app/a"))
    let offers = try Self.offers("files:read@/home/ana/src/app/a") { $0.namedFolders = [folder] }
    #expect(Self.texts(offers) == [nil, "/home/ana/src/app/a/", "/home/ana/src/app/"])
    #expect(offers.first?.words == "this folder, but not what is in it")
  }

  @Test("For writing, the words say that protected names are left out")
  func writing() throws {
    let words = try Self.offers("files:write@/home/ana/src/app/b.txt").last?.words
    #expect(words == "all of ~/src/app/ but the protected names in it")
  }

  @Test("The words name a protected name in the very folder, and count the others there")
  func protectedNames() throws {
    func words(_ asked: String, count: Int, in folder: String = "/home/ana/src/app") throws -> [String] {
      let found = ProtectedFact(
        folder: .folder(try AbsolutePath(folder)), first: ".git/config", count: count)
      return try Self.offers(asked) { $0.protected = [found] }.map(\.words)
    }
    let file = "files:write@/home/ana/src/app/b.txt"
    #expect(
      try words(file, count: 1).last == "all of ~/src/app/ but .git/config and protected names deeper in it")
    #expect(
      try words(file, count: 4).last
        == "all of ~/src/app/ but .git/config, 3 more and protected names deeper in it")
    #expect(
      try words(file, count: 4, in: "/home/ana/src").last
        == "all of ~/src/app/ but the protected names in it")
    #expect(try words("files:read@/home/ana/src/app/b.txt", count: 4).last == "all of ~/src/app/")
    #expect(
      try words("files:write@/home/ana/src/app/", count: 2).first
        == "this folder and everything below it but .git/config, 1 more and protected names deeper in it")
  }

  @Test(
    "The home folder, the root and folders above the home folder are never offered",
    arguments: ["files:read@/home/ana/a.txt", "files:read@/a.txt", "files:write@/home/a.txt"])
  func tooWide(asked: String) throws {
    let offers = try Self.offers(asked) { $0.project = .folder((try? AbsolutePath("/home/ana")) ?? .root) }
    #expect(Self.texts(offers) == [nil])
  }

  @Test("A wider scope covers all of the values that are asked for, or is not offered")
  func several() throws {
    let near = try Self.offers("files:read@/srv/a/1", "files:read@/srv/a/b/2")
    #expect(Self.texts(near) == [nil, "/srv/a/"])
    #expect(near[0].words == "exactly these 2 files")
    #expect(Self.texts(try Self.offers("files:read@/srv/a/1", "files:read@/srv/b/2")) == [nil])
    #expect(Self.texts(try Self.offers("network:connect@a.org:1", "network:connect@b.org:1")) == [nil])
    #expect(
      Self.texts(try Self.offers("network:connect@a.org:1", "network:connect@a.org:2")) == [nil, "a.org"])
    let lines = try Self.offers("commands:run@ls -l", "commands:run@cat a") { $0.forms = ["ls", "cat"] }
    #expect(Self.texts(lines) == [nil])
  }

  @Test(
    "For a folder, only the project is wider; for a protected name, a host and a name, nothing or little is")
  func others() throws {
    #expect(
      Self.texts(try Self.offers("files:read@/home/ana/src/app/a/")) == [nil, "/home/ana/src/app/"])
    #expect(Self.texts(try Self.offers("files:read@/srv/a/")) == [nil])
    #expect(Self.texts(try Self.offers("files:write@/home/ana/src/app/.git/config")) == [nil])
    #expect(Self.texts(try Self.offers("network:connect@a.org:443")) == [nil, "a.org"])
    #expect(Self.texts(try Self.offers("network:connect@a.org")) == [nil])
    #expect(Self.texts(try Self.offers("environment:read@HOME")) == [nil])
    #expect(Self.texts(try Self.offers("files:read@*")) == [nil])
  }

  @Test("A form is offered only if its conditions hold, and one that runs the folder only until log-out")
  func forms() throws {
    #expect(Self.texts(try Self.offers("commands:run@git status")) == [nil])
    let status = try Self.offers("commands:run@git status") { $0.forms = ["git status"] }
    #expect(Self.texts(status) == [nil, "git status …"])
    #expect(status[1].longest == nil)
    let build = try Self.offers("commands:run@swift build") { $0.forms = ["swift build"] }
    #expect(Self.texts(build) == [nil, "swift build …"])
    #expect(build[1].longest == .session)
    #expect(build[1].words.contains("runs what the files in this folder say"))
    let script = Subject(label: "s", path: "/bin/s")
    #expect(
      Self.texts(try Self.offers("commands:run@swift build", subject: script) { $0.forms = ["swift build"] })
        == [nil])
  }

  @Test(
    "For a program that Deno runs: its name until the process ends, its path forever, and some commands once only"
  )
  func deno() throws {
    let name = try Self.offers("commands:run@ls") { $0.dialect = .deno }
    #expect(Self.texts(name) == [nil] && name[0].longest == .process && name[0].limitReason != nil)
    #expect(name[0].words == "any program called ls, with any arguments")
    let path = try Self.offers("commands:run@/bin/ls") { $0.dialect = .deno }
    #expect(path[0].longest == nil && path[0].words == "this program, with any arguments")
    let once = try Self.offers("files:write@/home/ana/a") { $0.onceReason = "it is a connection" }
    #expect(Self.texts(once) == [nil] && once[0].longest == .once)
    #expect(once[0].limitReason == "it is a connection")
  }

  @Test("A value that is always asked about, or in another folder, is offered exactly and once")
  func once() throws {
    let offers = [
      try Self.offers("commands:run@tmux new") { $0.forms = ["ls"] },
      try Self.offers("commands:run@a; permtui x"),
      try Self.offers("commands:run@git status") { $0.isElsewhere = true },
      try Self.offers("commands:run@git status", details: ShownDetails("+ a", linesLeftOut: 3)) {
        $0.forms = ["git status"]
        $0.isElsewhere = true
      },
      try Self.offers("files:write@/srv/a/b", details: ShownDetails("+ a", linesLeftOut: 3)),
      try Self.offers("network:connect@a.example:443") { $0.onceReason = "this is asked about each time" },
    ]
    for offers in offers {
      #expect(Self.texts(offers) == [nil])
      #expect(offers[0].longest == .once)
      #expect(offers[0].limitReason != nil)
      #expect(offers[0].reason(against: .process) != nil)
      #expect(offers[0].reason(against: .once) == nil)
    }
  }

  @Test("A form whose conditions hold in a folder below the agent's is offered, and the exact line only once")
  func below() throws {
    let offers = try Self.offers("commands:run@git status") {
      $0.forms = ["git status"]
      $0.isElsewhere = true
    }
    #expect(Self.texts(offers) == [nil, "git status …"])
    #expect(offers.map(\.longest) == [.once, nil])
  }

  @Test("A form and a line of Codex are offered until the process ends, and anything else once")
  func codex() throws {
    let offers = try Self.offers("commands:run@cat /etc/hosts") {
      $0.dialect = .codex
      $0.forms = ["cat"]
    }
    #expect(Self.texts(offers) == [nil, "cat …"])
    #expect(offers.map(\.longest) == [.process, .process])
    let once = try Self.offers("commands:run@cat hosts") {
      $0.dialect = .codex
      $0.onceReason = "Codex does not say in which folder it runs a line"
    }
    #expect(once.map(\.longest) == [.once])
  }

  @Test("A path in doubt is offered exactly, while the process lives")
  func doubt() throws {
    let offers = try Self.offers("files:read@/srv/a/b") { facts in
      facts.paths = [
        PathFact(scope: .path((try? AbsolutePath("/srv/a/b")) ?? .root), doubt: "its folder is gone")
      ]
    }
    #expect(Self.texts(offers) == [nil])
    #expect(offers[0].longest == .process)
    #expect(offers[0].limitReason == "its folder is gone")
  }

  @Test("A wider scope that would not allow what is asked for is not offered")
  func noEffect() throws {
    let offers = try Self.offers("files:write@/srv/a/b") { facts in
      // The file was asked for under a protected name.
      facts.paths = [
        PathFact(
          scope: .path((try? AbsolutePath("/srv/a/b")) ?? .root),
          spelling: .path((try? AbsolutePath("/srv/.ssh/b")) ?? .root))
      ]
    }
    #expect(Self.texts(offers) == [nil])
  }
}

@Suite("Which answers an alert takes")
struct AnswerScopeTests {
  private static func alert(
    _ asked: String..., severity: Severity = .moderate, forms: Set<String> = []
  ) throws -> RequestAlert {
    let atoms = try Set(asked.flatMap { try CapabilityCatalogue.builtIn.parse($0).atoms })
    let capability = try #require(atoms.first?.capability)
    let definition = try #require(CapabilityCatalogue.builtIn[capability]?.definition)
    var facts = ValueFacts()
    facts.forms = forms
    let request = Request(
      id: Request.ID("1"), subject: CoverOffersTests.agent, capability: definition.name, atoms: atoms,
      askedAt: Timestamp(seconds: 0), facts: facts)
    let world = FixedEnvironment()
    let store = MemoryStore(environment: world.environment)
    return try RequestAlertMaker(request, definition)
      .alert(asking: atoms, DecidedAtoms(definition, facts: facts), in: store)
  }

  private static func refusal(_ alert: RequestAlert, _ answer: Answer) -> AnswerRefused? {
    do throws(AnswerRefused) {
      try alert.check(answer)
      return nil
    } catch {
      return error
    }
  }

  private static func atom(_ text: String) throws -> Atom {
    let atoms = try CapabilityCatalogue.builtIn.parse(text).atoms
    return try #require(atoms.first)
  }

  @Test("An answer with a scope that was offered is taken, any other is refused")
  func scopes() throws {
    let alert = try Self.alert("files:read@/srv/a/b")
    for text in ["files:read@/srv/a/b", "files:read@/srv/a/"] {
      let atoms: Set = [try Self.atom(text)]
      #expect(Self.refusal(alert, Answer(.allow, atoms: atoms, lifetime: .forever)) == nil)
      #expect(Self.refusal(alert, Answer(.deny, atoms: atoms, lifetime: .forever)) == nil)
    }
    for text in [
      "files:read@/srv/", "files:read@*", "files:read@/srv/a/c", "files:write@/srv/a/b", "network:connect@a",
    ] {
      let atoms: Set = [try Self.atom(text)]
      #expect(Self.refusal(alert, Answer(.allow, atoms: atoms)) != nil, "\(text)")
      #expect(Self.refusal(alert, Answer(.deny, atoms: atoms)) != nil, "\(text)")
    }
    #expect(Self.refusal(alert, Answer(.allow, atoms: [])) != nil)
  }

  @Test("Parts of one choice can be left out, but two scopes cannot be mixed")
  func mixed() throws {
    let alert = try Self.alert("files:read@/srv/a/1", "files:read@/srv/a/2")
    let (one, folder) = (try Self.atom("files:read@/srv/a/1"), try Self.atom("files:read@/srv/a/"))
    #expect(Self.refusal(alert, Answer(.allow, atoms: [one])) == nil)
    #expect(Self.refusal(alert, Answer(.allow, atoms: [folder])) == nil)
    #expect(Self.refusal(alert, Answer(.allow, atoms: [one, folder])) != nil)
  }

  @Test("An allow is not kept longer than its scope permits; a denial is")
  func lifetimes() throws {
    let alert = try Self.alert("commands:run@swift build", forms: ["swift build"])
    let form: Set = [try Self.atom("commands:run@swift build …")]
    let line: Set = [try Self.atom("commands:run@swift build")]
    #expect(Self.refusal(alert, Answer(.allow, atoms: form, lifetime: .session)) == nil)
    for lifetime in [LifetimeChoice.forever, .duration(.seconds(600)), .until(Timestamp(seconds: 9))] {
      #expect(Self.refusal(alert, Answer(.allow, atoms: form, lifetime: lifetime)) != nil)
      #expect(Self.refusal(alert, Answer(.deny, atoms: form, lifetime: lifetime)) == nil)
      #expect(Self.refusal(alert, Answer(.allow, atoms: line, lifetime: lifetime)) == nil)
    }
    let tmux = try Self.alert("commands:run@tmux new")
    #expect(Self.refusal(tmux, Answer(.allow, atoms: tmux.request.atoms, lifetime: .session)) != nil)
    #expect(Self.refusal(tmux, Answer(.allow, atoms: tmux.request.atoms)) == nil)
    #expect(Self.refusal(tmux, Answer(.deny, atoms: tmux.request.atoms, lifetime: .forever)) == nil)
  }

  @Test(
    "A common request takes a word only if it is kept beyond log-out or eight hours, or can do harm later"
  )
  func words() throws {
    let alert = try Self.alert("commands:run@git status", forms: ["git status"])
    let exact = alert.atoms(choice: 0, cover: 0)
    #expect(alert.typedWord(for: exact, lifetime: .once) == nil)
    #expect(alert.typedWord(for: exact, lifetime: .process) == nil)
    for lifetime in [LifetimeChoice.session, .duration(.seconds(600)), .duration(.seconds(8 * 3600))] {
      #expect(alert.typedWord(for: exact, lifetime: lifetime) == nil)
      #expect(alert.typedWord(for: alert.atoms(choice: 0, cover: 1), lifetime: lifetime) == nil)
    }
    for lifetime in [LifetimeChoice.duration(.seconds(8 * 3600 + 1)), .until(Timestamp(seconds: 9))] {
      #expect(alert.typedWord(for: exact, lifetime: lifetime) == "long")
    }
    #expect(alert.typedWord(for: exact, lifetime: .forever) == "forever")
    let keys = try Self.alert("keys:use@SHA256:abc")
    #expect(keys.typedWord(for: keys.request.atoms, lifetime: .once) == nil)
    #expect(keys.typedWord(for: keys.request.atoms, lifetime: .forever) == "forever")
    let library = try Self.alert("code:load@/srv/a/b.so")
    #expect(library.typedWord(for: library.request.atoms, lifetime: .once) == nil)
    #expect(library.typedWord(for: library.atoms(choice: 0, cover: 1), lifetime: .forever) == "forever")
  }

  @Test("Writing to a protected folder as a whole can only be denied, and not even an allow for once counts")
  func protectedFolder() throws {
    let alert = try Self.alert("files:write@/srv/a/.ssh/")
    #expect(alert.covers.map(\.words) == ["this folder and everything below it"])
    for offer in alert.lifetimes where offer.disabledReason == nil {
      #expect(offer.reason(against: .allow)?.contains("each file in it is asked about by itself") == true)
      let atoms = alert.request.atoms
      #expect(Self.refusal(alert, Answer(.allow, atoms: atoms, lifetime: offer.choice)) != nil)
      #expect(Self.refusal(alert, Answer(.deny, atoms: atoms, lifetime: offer.choice)) == nil)
    }
    let answered = DecidedAtoms(Capability.Files.definition)
      .answering(.allow, alert.request.atoms, at: Timestamp(seconds: 0))
    #expect(!answered.allows(alert.request.atoms))
    let other = try Self.alert("files:write@/srv/a/")
    #expect(Self.refusal(other, Answer(.allow, atoms: other.request.atoms)) == nil)
    let reading = try Self.alert("files:read@/srv/a/.ssh/")
    #expect(Self.refusal(reading, Answer(.allow, atoms: reading.request.atoms)) == nil)
  }

  @Test("Writing a protected name always takes the word, reading it never does")
  func protected() throws {
    let write = try Self.alert("files:write@/srv/.git/config")
    #expect(write.severity == .severe)
    for lifetime in [LifetimeChoice.once, .process, .forever] {
      #expect(write.typedWord(for: write.request.atoms, lifetime: lifetime) == "config")
    }
    let read = try Self.alert("files:read@/srv/.git/config")
    #expect(read.typedWord(for: read.request.atoms, lifetime: .forever) == nil)
    let other = try Self.alert("files:write@/srv/a")
    #expect(other.typedWord(for: other.request.atoms, lifetime: .forever) == nil)
  }
}
