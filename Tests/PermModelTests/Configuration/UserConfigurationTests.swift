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
    #expect(deploy.definition.action(for: production.atoms) == "use deploy: production")
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
    for value in ["0", "6", "true", "\"2\""] { #expect(problems("[prompt]\nslow = \(value)") == [problem]) }
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

  @Test(
    "A mistake in a severity never makes a capability or a part milder",
    arguments: ["\"sever\"", "\"Severe\"", "3", "[\"mild\"]", "true", "\"\""])
  func wrongSeverity(_ value: String) throws {
    let whole = read("[capability.deploy]\nseverity = \(value)")
    #expect(whole.catalogue["deploy"]?.definition.severity == .severe)
    #expect(whole.problems.count == 1)
    let part = read("[capability.deploy.requirements.now]\nseverity = \(value)")
    let definition = try #require(part.catalogue["deploy"]?.definition)
    #expect(definition.severity(of: [Atom("deploy", "now")]) == .severe)
    #expect(part.problems.count == 1)
  }

  @Test(
    "The usual part is the first one written, however the parts are written",
    arguments: [
      "[capability.rm.requirements.tmp]\n[capability.rm.requirements.home]",
      "[capability.rm]\nrequirements = [\"tmp\", \"home\"]",
      "[capability.rm.requirements]\ntmp.action = \"empty tmp\"\nhome.action = \"empty home\"",
      "[capability.rm]\nrequirements = { tmp = {}, home = {} }",
    ])
  func usualPart(text: String) throws {
    let definition = try #require(read(text).catalogue["rm"]?.definition)
    #expect(definition.parts.map(\.name) == ["tmp", "home"])
    #expect(definition.defaultParts == ["tmp"])
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

  @Test("A capability with a mistake in its text is left out: its severity may be among what cannot be read")
  func damagedCapability() {
    let text = """
      [capability.deploy]
      requirements = ["staging"]
      severity = severe
      [capability.copy]
      """
    let configuration = read(text)
    #expect(configuration.capabilities.map(\.definition.name) == ["copy"])
    #expect(
      configuration.problems.map(\.description) == [
        "config.toml:3: severe is neither a whole number nor true or false; write text in quotes: \"severe\"",
        "config.toml: capability.deploy: is left out until its mistakes are corrected",
      ])
  }

  @Test("Requirements keep the order of the file, so that the usual one is the first one written")
  func order() {
    let requirements = """
      [capability.rm.requirements.tmp]
      [capability.rm.requirements.home]
      """
    #expect(read(requirements).catalogue["rm"]?.definition.parts.map(\.name) == ["tmp", "home"])
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
        "config.toml: capability.deploy.severity: must be \"mild\", \"moderate\" or \"severe\"; until this is corrected, it counts as severe"
      ),
      (
        "[capability.photos]\ntitle = \"Mine\"",
        "config.toml: capability.photos: is the name of a built-in capability; choose another"
      ),
      (
        "[capability.\"De ploy\"]\ntitle = \"Mine\"",
        "config.toml: capability.De ploy: a name consists of a to z, 0 to 9 and -, and has at most 32 characters"
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

  @Test("A mistake in one place takes nothing from the rest")
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
