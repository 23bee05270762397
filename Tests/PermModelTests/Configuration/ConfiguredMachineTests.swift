import Testing

@testable import PermModel

@Suite("Machines in config.toml")
struct ConfiguredMachineTests {
  private func read(_ text: String) -> UserConfiguration {
    UserConfiguration(text: text, file: "config.toml", ProbeEnvironment(home: "/home/ana"))
  }

  @Test("A machine has a destination, a class and a colour, in the order of the file")
  func whole() throws {
    let configuration = read(
      """
      [machines.web1]
      ssh = "ssh://ana@web1.example.org:2222"
      class = "prod"
      colour = 1

      [machines."db.prod"]
      """)
    #expect(configuration.problems.isEmpty, "\(configuration.problems)")
    #expect(
      try configuration.machines == [
        ConfiguredMachine(
          name: RemoteName("web1"), destination: SSHDestination("ssh://ana@web1.example.org:2222"),
          kind: "prod", colour: 1),
        ConfiguredMachine(name: RemoteName("db.prod"), destination: SSHDestination("db.prod")),
      ])
  }

  @Test(
    "A machine with a mistake is left out, and the mistake is reported with its key",
    arguments: [
      (#"[machines.This]"#, "machines.This: "), ("[machines.all]", "machines.all: this name would read like"),
      ("[machines.localhost]", "machines.localhost: this name"),
      ("[machines.\"a b\"]", "machines.a b: a name has 1 to 32"),
      ("[machines.web1]\nssh = \"-oProxyCommand=id\"", "machines.web1.ssh: must be what ssh connects to"),
      ("[machines.web1]\nssh = \"a b\"", "machines.web1.ssh: "),
      ("[machines.web1]\nssh = \"a\\u0007b\"", "machines.web1.ssh: "),
      ("[machines.web1]\nssh = \"a;id\"", "machines.web1.ssh: "),
      ("[machines.web1]\nssh = \"\"", "machines.web1.ssh: "),
      ("[machines.web1]\nssh = 7", "machines.web1.ssh: must be text in quotes"),
      ("[machines.web1]\nclass = \"Prod uction\"", "machines.web1.class: must be a word"),
      ("[machines.web1]\ncolour = 8", "machines.web1.colour: must be a whole number from 0 to 7"),
      ("[machines.web1]\ncolor = 1", "machines.web1.color: is not a known key; did you mean \"colour\"?"),
      ("[machines.web1]\nssh =", "config.toml:2: "),
      ("machines = 7", "machines: must be a table: [machines]"),
    ])
  func mistakes(_ text: String, _ problem: String) {
    let configuration = read(text)
    #expect(configuration.machines.isEmpty)
    #expect(
      configuration.problems.contains { $0.description.contains(problem) }, "\(configuration.problems)")
  }

  @Test("Two names that the eye confuses are not both used")
  func confusable() {
    let configuration = read("[machines.web1]\n[machines.webl]")
    #expect(configuration.machines.map(\.name.text) == ["web1"])
    #expect(
      configuration.problems.map(\.description) == [
        "config.toml: machines.webl: can be mistaken for \"web1\"; give one of them another name"
      ])
  }

  @Test("A mistake in one machine leaves the others as they are")
  func others() {
    #expect(read("[machines.web1]\nssh = \"-x\"\n[machines.db]").machines.map(\.name.text) == ["db"])
  }

  @Test(
    "A destination never reads like an option, and means nothing to a shell",
    arguments: [
      "", "-", "-oProxyCommand=id", "a b", "a\tb", "a\nb", "a\u{0}b", "$(id)", "`id`", "a;b", "a|b", "a'b",
      "a\"b",
      "a\\b", "wéb", "web\u{202e}", "a&b", "a>b", "*", String(repeating: "a", count: 256),
    ])
  func hostile(_ text: String) {
    #expect(throws: SSHDestination.Refused.self) { try SSHDestination(text) }
  }
}
