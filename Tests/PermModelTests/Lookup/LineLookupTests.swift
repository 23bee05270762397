import Machine
import Testing

@testable import PermModel

@Suite("Knowledge about a line, by the folder in which it runs", .timeLimit(.minutes(5)))
struct LineLookupTests {
  private let answerer: TestAnswerer
  /// The folder in which the test works.
  private let folder: String

  init() throws {
    answerer = try TestAnswerer()
    folder = try #require(Paths.target(ofLink: "/proc/self/cwd"))
  }

  /// Returns what is known about lines of an agent that began in a folder and may read everything.
  private func facts(
    _ lines: String..., of agentFolder: String, dialect: Dialect? = nil
  ) async throws -> ValueFacts {
    let subject = Subject(
      label: "agent", path: "/opt/agent", file: FileIdentity(inode: 1, birth: 1),
      folder: ProgramFolder(at: agentFolder))
    let read = Ruling(.allow, subject: subject, atoms: [Atom("files", "read")])
    _ = try answerer.store.decide(read, by: .commandLine)
    let commands = try #require(CapabilityCatalogue.builtIn["commands"]?.definition)
    var asked = AskedValues(capability: "commands")
    asked.others = Set(lines.map { Atom("commands", "run", .command($0)) })
    asked.dialect = dialect
    let lookup = Lookup(in: answerer.store, home: "/home/ana")
    let variables = ["PATH": "/usr/bin:/bin"]
    let own = AskingProcess.own
    let process = AskingProcess(own.identity, workingFolder: nil) { [variables] }
    return try await lookup.resolve(asked, by: process, for: Judge(of: subject, commands, under: .none))
      .facts
  }

  @Test("In the agent's folder, forms hold")
  func here() async throws {
    let found = try await facts("ls", "make test", of: folder)
    #expect(!found.isElsewhere && found.forms == ["ls", "make"])
  }

  @Test("In a folder below the agent's, forms that only read hold, and it is another folder for exact lines")
  func below() async throws {
    for above in [folder.folderOfPath, "/"] {
      let found = try await facts("ls", "make test", of: above)
      #expect(found.isElsewhere && found.forms == ["ls"])
    }
  }

  @Test("In a folder that is not below the agent's, no form holds")
  func elsewhere() async throws {
    for other in ["/usr/lib", folder + "/Sources"] {
      let found = try await facts("ls", of: other)
      #expect(found.isElsewhere && found.forms.isEmpty)
    }
  }

  @Test(
    "In an unknown folder, only lines that mean the same everywhere can be kept")
  func unknown() async throws {
    let form = try await facts("cat /etc/hosts", of: folder, dialect: .codex)
    #expect(form.onceReason == nil && form.forms == ["cat"] && !form.isElsewhere)
    let exact = try await facts("cksum /etc/hosts", of: folder, dialect: .codex)
    #expect(exact.onceReason == nil && exact.forms.isEmpty)
    for line in [
      "cd . && ls", "cd Sources && ls", "cd \(folder); ls", "cd \(folder)", "ls && cd \(folder) && ls",
    ] {
      #expect(
        try await facts(line, of: folder, dialect: .codex).onceReason == AllowLimit.unknownFolder, "\(line)")
    }
    for line in ["ls", "cat hosts", "no-such-program-here /etc/hosts", "make", "ls /etc; ls"] {
      #expect(
        try await facts(line, of: folder, dialect: .codex).onceReason == AllowLimit.unknownFolder, "\(line)")
    }
  }

  @Test("A line that changes first to a folder that it names means the same, wherever a shell begins with it")
  func named() async throws {
    let named = try await facts("cd \(folder) && ls && make test", of: folder, dialect: .codex)
    #expect(named.onceReason == nil && named.dialect == nil && !named.isElsewhere)
    #expect(named.forms == ["ls", "make"] && named.words?.here == [folder])
    let below = try await facts("cd \(folder)/Sources && ls", of: folder, dialect: .codex)
    #expect(below.onceReason == nil && below.words?.here == [] && below.words?.below == ["\(folder)/Sources"])
    let elsewhere = try await facts("cd /usr/lib && ls", of: folder, dialect: .codex)
    #expect(elsewhere.words?.here == [] && elsewhere.words?.below == [])
    let one = try await facts("cd \(folder) && ls", "ls", of: folder, dialect: .codex)
    #expect(one.onceReason == AllowLimit.unknownFolder)
  }
}
