import Testing

@testable import PermModel

@Suite("Reading config.toml")
struct UserConfigurationTests {
  let environment = ProbeEnvironment(home: "/home/ana")

  func read(_ text: String) -> UserConfiguration {
    UserConfiguration(text: text, file: "config.toml", environment)
  }

  func problems(_ text: String) -> [String] { read(text).problems.map(\.description) }

  @Test("A capability of the user is listed, named, and met like a built-in one")
  func capability() async throws {
    let configuration = read(
      """
      [capability.deploy]
      title = "Deploy"
      description = "Put a release on the servers."
      severity = "severe"
      requirements = ["staging", "production"]
      probe = "~/.ssh/deploy_key"
      """)
    #expect(configuration.problems.isEmpty)
    let catalogue = configuration.catalogue
    #expect(try catalogue.parse("deploy").atoms == [Atom("deploy", "staging")])
    let production = try catalogue.parse("deploy:production")
    let deploy = try #require(catalogue["deploy"])
    #expect(deploy.definition.severity(of: production.atoms) == .severe)
    #expect(deploy.definition.action(for: production.atoms) == "deploy: production")
    let availability = await deploy.availability(in: environment)
    #expect(availability.unavailability?.reason == "~/.ssh/deploy_key is not there")
    let allowed = Decision(
      subject: Subject(label: "ci"), atom: Atom("deploy", "production"), verdict: .allow,
      lifetime: .forever, origin: .commandLine, decidedAt: Timestamp(seconds: 1))
    let decided = DecidedAtoms(deploy.definition, decisions: [allowed])
    let facts = CapabilityFacts(decided: decided, availability: .available(found: ""))
    #expect(deploy.status(for: production.atoms, from: facts).isMet)
    #expect(!deploy.status(for: [Atom("deploy", "staging")], from: facts).isMet)
  }

  @Test("A person may slow all prompts down, within bounds")
  func prompt() {
    #expect(read("").promptTimes == PromptTimes())
    #expect(read("[prompt]\nslow = 5").promptTimes == PromptTimes(slow: 5))
    #expect(read("[prompt]\nslow = 6").promptTimes == PromptTimes())
    let problem = "config.toml: prompt.slow: must be a whole number from 1 to 5"
    for value in ["0", "6", "1.5", "\"2\""] { #expect(problems("[prompt]\nslow = \(value)") == [problem]) }
    #expect(
      problems("[prompt]\nslwo = 2") == [
        "config.toml: prompt.slwo: is not a known key; did you mean \"slow\"?"
      ])
  }

  @Test("The journal is kept for ever, or for as many days as are set")
  func journal() {
    #expect(read("").journalDays == nil)
    #expect(read("[journal]\ndays = 365").journalDays == 365)
    #expect(
      problems("[journal]\ndays = 0\nday = 1") == [
        "config.toml: journal.days: must be a whole number from 1 to 36500",
        "config.toml: journal.day: is not a known key; did you mean \"days\"?",
      ])
  }

  @Test("Requirements with words of their own, and what follows from them")
  func requirementTables() throws {
    let configuration = read(
      """
      [capability.deploy]
      title = "Deploy"
      default = ["staging"]
      [capability.deploy.requirements.staging]
      action = "put a release on the test servers"
      [capability.deploy.requirements.production]
      implies = ["staging"]
      severity = "severe"
      """)
    #expect(configuration.problems.isEmpty)
    let definition = try #require(configuration.catalogue["deploy"]?.definition)
    #expect(definition.action(for: [Atom("deploy", "staging")]) == "put a release on the test servers")
    #expect(definition.covers(Atom("deploy", "production"), Atom("deploy", "staging")))
    #expect(definition.severity(of: [Atom("deploy", "staging")]) == .moderate)
  }

  @Test("Folders are set for the probes, from the home folder or in full")
  func folders() {
    let configuration = read(
      """
      [health]
      folder = "~/health"
      [calendar]
      folders = ["/srv/calendars"]
      """)
    #expect(configuration.problems.isEmpty)
    #expect(configuration.environment.healthFolder == "/home/ana/health")
    #expect(configuration.environment.calendarFolders.first == "/srv/calendars")
  }

  @Test("A syntax error is reported with its line")
  func syntax() {
    let found = read("[health]\nfolder = \n").problems
    #expect(found.map(\.place) == [.line(2)])
  }

  @Test(
    "A table whose name begins with what no name begins with is reported with its line",
    arguments: [
      "[é]", "[!]", "[.x]", "[", "[\r\nx = 1", "[[[x]]]", " [ \u{fffd}", "[[#]]", "[{x}]", "[\u{5b8}x]",
    ])
  func header(_ text: String) {
    #expect(read("# first\n" + text).problems.map(\.place) == [.line(2)])
  }

  @Test(
    "Such a table is found behind whatever looks like the beginning of a text",
    arguments: [
      "# '''", "# \"", #"a = "'''""#, #"a = """ ''' """"#, #"a = '\'"#, #"a = "\"""#, #"a = """\""""""#,
      #"a = """x"""""#, "a = '''x'''''", "a = ''", #"a = "" # ""#, "a = ''''''", "a = '''\n'''",
      "a = 'b' # '''",
    ])
  func headerBehindText(_ text: String) {
    let found = read(text + "\n[é]").problems.filter { $0.message.contains("name begins") }
    #expect(found.map(\.place) == [.line(text.contains("\n") ? 3 : 2)])
  }

  @Test(
    "What the parser would stop the program for is reported with its line",
    arguments: [
      ("x = [}", "list ends"), ("x = [\n}", "list ends"), ("x = [1, # one\n }", "list ends"),
      ("x = 1979-05-27 0\n", "date"), ("x = 1979-05-27t:", "date"), ("x = 19_79-05-2? 8]", "date"),
      ("x = [ 1979-05-27 1]", "date"),
    ])
  func traps(text: String, message: String) throws {
    let problem = try #require(read("# first\n" + text).problems.first)
    #expect(problem.message.contains(message))
    #expect(problem.place == .line(text.contains("\n}") || text.contains("\n }") ? 3 : 2))
  }

  @Test(
    "What only looks like that is read", arguments: ["1979-05", "-1979-05-27", "a1979-05-27", "1979_05_27"])
  func noTraps(name: String) {
    let found = read("[capability.\(name)]\ntitle = \"1979-05-27 0\" # [} 1979-05-27\n")
    #expect(!found.problems.contains { $0.message.contains("date") || $0.message.contains("list") })
  }

  @Test("Such a table is found behind a byte order mark")
  func headerBehindMark() {
    #expect(read("\u{feff}[é]").problems.map(\.place) == [.line(1)])
  }

  @Test("Such a line inside of a text is no table")
  func headerInText() {
    let found = read("[capability.deploy]\ntitle = \"Deploy\"\ndescription = \"\"\"\n[é]\n\"\"\"\n")
    #expect(found.problems.isEmpty, "\(found.problems)")
  }

  @Test(
    "A wrong value is reported by its keys, and says what would be right",
    arguments: [
      ("[health]\nfolder = 3", "config.toml: health.folder: must be text in quotes"),
      (
        "[health]\nfolder = \"health\"", "config.toml: health.folder: must be a path that begins with / or ~/"
      ),
      ("[health]\nfoldr = \"/x\"", "config.toml: health.foldr: is not a known key; did you mean \"folder\"?"),
      ("[helth]\nfolder = \"/x\"", "config.toml: helth: is not a known key; did you mean \"health\"?"),
      ("health = 3", "config.toml: health: must be a table: [health]"),
      (
        "[capability.deploy]\nseverity = \"high\"",
        "config.toml: capability.deploy.severity: must be \"mild\", \"moderate\" or \"severe\""
      ),
      (
        "[capability.photos]\ntitle = \"Mine\"",
        "config.toml: capability.photos: is the name of a built-in capability; choose another"
      ),
      (
        "[capability.\"De ploy\"]\ntitle = \"Mine\"",
        "config.toml: capability.De ploy: the name may have a to z, 0 to 9 and -, and 32 letters at most"
      ),
      (
        "[capability.deploy]\nrequirements = [\"a\"]\ndefault = [\"b\"]",
        "config.toml: capability.deploy.default: \"b\" is not one of its requirements"
      ),
      (
        "[capability.deploy]\nrequirements = []",
        "config.toml: capability.deploy.requirements: must name at least one"
      ),
    ])
  func wrongValues(text: String, problem: String) { #expect(problems(text) == [problem]) }

  @Test("What is wrong in one place takes nothing from the rest")
  func restWorks() {
    let configuration = read(
      """
      [health]
      folder = 3
      [capability.broken]
      requirements = 7
      [capability.deploy]
      title = "Deploy"
      """)
    #expect(configuration.problems.count == 2)
    #expect(configuration.capabilities.map(\.definition.name) == ["deploy"])
  }

  @Test("A capability whose requirements cannot be read is left out, not allowed to everybody")
  func neverEmpty() {
    #expect(read("[capability.deploy]\nrequirements = 7").capabilities.isEmpty)
    #expect(read("[capability.deploy]\nrequirements = [\"A b\"]").capabilities.isEmpty)
  }
}
