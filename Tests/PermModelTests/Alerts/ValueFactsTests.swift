import Testing

@testable import PermModel

@Suite("The facts about values")
struct ValueFactsTests {
  private static func scope(_ text: String, _ kind: Scope.Kind) -> Scope {
    (try? Scope(text, kind: kind)) ?? .any
  }

  private static func alert(
    _ atoms: [Atom], covers: [CoverOffer] = [.exact], details: ShownDetails? = nil,
    facts: ValueFacts = ValueFacts(), severity: Severity = .moderate
  ) -> Alert {
    let definition = CapabilityCatalogue.builtIn[atoms[0].capability]?.definition
    let request = Request(
      id: Request.ID("1"), subject: Subject(label: "tool"), capability: atoms[0].capability,
      atoms: Set(atoms),
      askedAt: Timestamp(seconds: 0), details: details, facts: facts)
    let content = RequestAlert(
      request: request, title: definition?.title ?? "", action: definition?.action(for: Set(atoms)) ?? "",
      explanation: "", severity: severity,
      choices: [RequirementChoice(atoms: Set(atoms), title: definition?.title(for: Set(atoms)) ?? "")],
      covers: covers, identity: .inProcess, lifetimes: LifetimeOffer.all(for: .inProcess))
    return Alert(id: Alert.ID("1"), content: .request(content))
  }

  private func lines(_ alert: Alert) -> [String] {
    let lines = PlainAlert(alert, isInDashboard: true).lines
    return Array(lines.prefix { !$0.hasPrefix("Reason") })
  }

  @Test("stand before all other facts, under the word for their kind")
  func kinds() {
    let cases: [(Atom, [String])] = [
      (Atom("files", "read", Self.scope("/srv/a", .path)), ["tool asks to read a file.", "File: /srv/a"]),
      (
        Atom("files", "write", Self.scope("/srv/", .path)),
        ["tool asks to change a folder.", "Folder: /srv/"]
      ),
      (
        Atom("network", "connect", Self.scope("xn--bcher-kva.example:443", .host)),
        ["tool asks to connect to a host.", "Host: xn--bcher-kva.example:443 (bücher.example)"]
      ),
      (
        Atom("environment", "read", .name("HOME")), ["tool asks to read a variable.", "Variable: HOME"]
      ),
      (Atom("keys", "use", .name("SHA256:x")), ["tool asks to use a key.", "Key: SHA256:x"]),
      (Atom("tools", "use", .name("fetch")), ["tool asks to use a tool.", "Tool: fetch"]),
    ]
    for (atom, expected) in cases {
      #expect(lines(Self.alert([atom])) == expected + ["Covers: exactly this"])
    }
  }

  @Test("Every one of many values is named")
  func many() {
    let atoms = (1...32).map { Atom("files", "read", Self.scope("/srv/\($0)", .path)) }
    let lines = lines(Self.alert(atoms))
    #expect(lines[0] == "tool asks to read 32 files.")
    #expect(lines.filter { $0.hasPrefix("File: /srv/") }.count == 32)
  }

  @Test("Values of several parts say which part they belong to")
  func parts() {
    let atoms = [
      Atom("files", "read", Self.scope("/a", .path)), Atom("files", "write", Self.scope("/b", .path)),
    ]
    #expect(
      lines(Self.alert(atoms)).prefix(3) == [
        "tool asks to read a file and change a file.", "File: read: /a", "File: write: /b",
      ])
  }

  @Test("The lines of a command are numbered, and nothing in them can hide")
  func command() {
    let atom = Atom("commands", "run", .command("ls\u{202e}\r\nrm -rf x\n"))
    #expect(
      lines(Self.alert([atom], severity: .severe)) == [
        "tool asks to run a command.", "Command 1: ls\\u{202e}\\r", "Command 2: rm -rf x",
        "Covers: exactly this",
      ])
  }

  @Test("A path with bytes that are no text is shown with these bytes")
  func bytes() throws {
    let path = try AbsolutePath(Array("/srv/caf".utf8) + [0xe9])
    #expect(lines(Self.alert([Atom("files", "read", .path(path))]))[1] == "File: /srv/caf\\xe9")
  }

  @Test("A link, a doubt and other names of the file are said directly below the value")
  func paths() {
    let scope = Self.scope("/etc/passwd", .path)
    var facts = ValueFacts()
    facts.project = Self.scope("/home/ana/src/", .path)
    facts.paths = [
      PathFact(
        scope: scope, spelling: Self.scope("/home/ana/src/x", .path), doubt: "it is in another namespace",
        file: LinkedFile(device: 1, inode: 2))
    ]
    #expect(
      lines(Self.alert([Atom("files", "read", scope)], facts: facts)) == [
        "tool asks to read a file.", "File: /etc/passwd",
        "Asked as: \"/home/ana/src/x\", a link leads out of the project",
        "The file has several names (hard links).", "Doubt: it is in another namespace",
        "Covers: exactly this",
      ])
  }

  @Test("The home folder is shortened, also where a path was spelled")
  func homeFolder() throws {
    try #require(HomeFolder.path != "/")
    let scope = Self.scope("\(HomeFolder.path)/a", .path)
    var facts = ValueFacts()
    facts.paths = [PathFact(scope: scope, spelling: Self.scope("\(HomeFolder.path)/~", .path))]
    #expect(
      lines(Self.alert([Atom("files", "read", scope)], facts: facts)) == [
        "tool asks to read a file.", "File: ~/a", "Asked as: \"~/~\", a link", "Covers: exactly this",
      ])
  }

  @Test("A path with .. is shown as it was written, never as the name that it would be without links")
  func upwards() {
    let scope = Self.scope("/srv/far/file", .path)
    var facts = ValueFacts()
    facts.paths = [
      PathFact(
        scope: scope, spelling: Self.scope("/srv/file", .path), written: "/srv/near/../fi\u{202e}le")
    ]
    #expect(
      lines(Self.alert([Atom("files", "read", scope)], facts: facts)) == [
        "tool asks to read a file.", "File: /srv/far/file",
        "Asked as: \"/srv/near/../fi\\u{202e}le\", a link", "Covers: exactly this",
      ])
  }

  @Test("Each name under which a file was asked for is shown, since each of them counts in the rules")
  func names() {
    let scope = Self.scope("/srv/far/file", .path)
    var facts = ValueFacts()
    let file = LinkedFile(device: 1, inode: 2)
    facts.paths = ["/srv/a", "/srv/b"].map {
      PathFact(scope: scope, spelling: Self.scope($0, .path), doubt: "it is elsewhere", file: file)
    }
    let alert = Self.alert([Atom("files", "read", scope)], facts: facts)
    let names = ["Asked as: \"/srv/a\", a link", "Asked as: \"/srv/b\", a link"]
    let rest = ["The file has several names (hard links)."]
    var expected = ["tool asks to read a file.", "File: /srv/far/file"]
    expected += names + rest
    expected += ["Doubt: it is elsewhere", "Covers: exactly this"]
    #expect(lines(alert) == expected)
    guard case .request(let content) = alert.content else { return }
    let offered = RequestFacts(
      content, choice: 0, visible: { $0 }, quoted: { "\"\($0)\"" }, moment: nil, exact: nil
    ).offered
    #expect(Array(offered.map(\.line).prefix(3)) == names + rest)
  }

  @Test("Details keep their line breaks, and say what is left out")
  func details() {
    let atom = Atom("files", "write", Self.scope("/a", .path))
    let alert = Self.alert([atom], details: ShownDetails("- a\n\n+ b\u{1b}", linesLeftOut: 412))
    #expect(
      lines(alert).dropFirst(2) == [
        "Details 1: - a", "Details 2: ", "Details 3: + b\\u{1b}", "and 412 lines that are not shown",
        "Covers: exactly this",
      ])
    var plain = PlainAlert(alert, isInDashboard: true)
    #expect(plain.take("allow 6") == .refused("It is off: not all of the details are shown."))
    #expect(plain.take("deny 6") == .response(.answered(Answer(.deny, atoms: [atom], lifetime: .forever))))
  }

  @Test("The words wider and back change what an answer covers")
  func wider() {
    let (atom, folder) = (Atom("files", "read", Self.scope("/srv/a", .path)), Self.scope("/srv/", .path))
    let covers = [CoverOffer(nil, words: "this file"), CoverOffer(folder, words: "all of /srv/")]
    var plain = PlainAlert(Self.alert([atom], covers: covers), isInDashboard: true)
    #expect(plain.lines.contains("Covers: this file; wider: all of /srv/"))
    #expect(plain.howToAnswer.contains(" wider covers more. note TEXT"))
    #expect(plain.take("back") == .refused("It covers exactly what is asked for."))
    #expect(plain.take("wider") == .again)
    #expect(plain.lines.contains("Covers: all of /srv/"))
    #expect(plain.take("wider") == .refused("No wider scope is on offer."))
    let wide = Atom("files", "read", folder)
    #expect(plain.take("allow 6") == .response(.answered(Answer(.allow, atoms: [wide], lifetime: .forever))))
    #expect(plain.take("deny") == .response(.answered(Answer(.deny, atoms: [wide]))))
    #expect(plain.take("back") == .again)
    #expect(plain.take("allow") == .response(.answered(Answer(.allow, atoms: [atom]))))
  }

  @Test("An exact command takes its word only if the allow is kept")
  func word() {
    let atom = Atom("commands", "run", .command("ls"))
    var plain = PlainAlert(Self.alert([atom], severity: .severe), isInDashboard: true)
    #expect(plain.lines.contains { $0.hasSuffix("beyond log-out, takes the word forever.") })
    #expect(plain.take("allow 6") == .refused("Allowing this takes its word: allow forever."))
    #expect(
      plain.take("allow 6 forever")
        == .response(.answered(Answer(.allow, atoms: [atom], lifetime: .forever))))
    #expect(plain.take("allow") == .response(.answered(Answer(.allow, atoms: [atom]))))
  }
}
