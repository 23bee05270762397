import Machine
import Testing

@testable import PermModel

@Suite("Values in the machine's policy")
struct PolicyValueTests {
  private func read(_ entry: String) -> (restricted: Set<Atom>, problems: [String]) {
    let (policy, problems) = MachinePolicy.parse(
      "[[restrict]]\n\(entry)", file: "policy.toml", home: "/nonexistent/ana")
    let definition = policy.restrictions.first.flatMap {
      CapabilityCatalogue.builtIn[$0.capability]?.definition
    }
    let restricted = definition.map { policy.restricted(for: Subject(label: "x", path: "/usr/bin/x"), $0) }
    return (restricted ?? [], problems.map(\.description))
  }

  @Test("Only the values are forbidden, in all parts that take values or in those named")
  func values() throws {
    let all = read("capability = \"files\"\nvalues = [\"/nonexistent/srv/\", \"~/.ssh/\"]")
    #expect(all.problems.isEmpty)
    #expect(
      Set(all.restricted.map(\.description)) == [
        "files:read@/nonexistent/srv/", "files:write@/nonexistent/srv/", "files:read@/nonexistent/ana/.ssh/",
        "files:write@/nonexistent/ana/.ssh/",
      ])
    let some = read("capability = \"files\"\nparts = [\"write\"]\nvalues = \"/nonexistent/srv/\"")
    #expect(some.restricted.map(\.description) == ["files:write@/nonexistent/srv/"])
    let host = read("capability = \"network\"\nparts = [\"connect\"]\nvalues = [\"*.example.org\"]")
    #expect(host.restricted.map(\.description) == ["network:connect@*.example.org"])
  }

  @Test("A path that is a link is forbidden under both names")
  func links() throws {
    let resolved = try #require(Paths.resolved("/proc/self/cwd"))
    let found = read("capability = \"files\"\nparts = [\"read\"]\nvalues = [\"/proc/self/cwd/\"]")
    #expect(
      Set(found.restricted.map(\.description)) == ["files:read@/proc/self/cwd/", "files:read@\(resolved)/"])
  }

  @Test(
    "As long as a value is wrong, all values are forbidden, and the mistake is reported",
    arguments: [
      ("capability = \"files\"\nvalues = [\"srv\"]", "does not begin with /"),
      ("capability = \"files\"\nvalues = [\"/srv/../etc/\"]", "contains .."),
      ("capability = \"files\"\nvalues = []", "names no value"),
      ("capability = \"files\"\nvalues = 5", "list of texts"),
      ("capability = \"network\"\nvalues = [\"exa mple\"]", "is not a host"),
      ("capability = \"photos\"\nvalues = [\"/srv/\"]", "takes no values"),
      ("capability = \"photos\"\nparts = [\"read\"]\nvalues = [\"/srv/\"]", "takes no values"),
    ])
  func mistakes(entry: String, hint: String) {
    let found = read(entry)
    #expect(found.problems.contains { $0.contains(hint) }, "\(found.problems)")
    #expect(!found.restricted.isEmpty)
    #expect(found.restricted.allSatisfy { $0.scope == .any }, "\(found.restricted)")
  }

  @Test("A capability of the user can take names and paths")
  func ownCapability() throws {
    let configuration = UserConfiguration(
      text: """
        [capability.lights.requirements.switch]
        action = "switch the light"
        values = "name"
        [capability.lights.requirements.plan]
        values = "path"
        [capability.lights.requirements.call]
        values = "host"
        """, file: "config.toml", ProbeEnvironment(home: "/home/ana"))
    #expect(
      configuration.problems.map(\.description).contains { $0.contains("must be \"name\" or \"path\"") })
    let definition = try #require(configuration.catalogue["lights"]?.definition)
    #expect(Set(definition.parts.map(\.name)) == ["switch", "plan"])
    let kitchen = try configuration.catalogue.parse("lights:switch@kitchen")
    #expect(definition.action(for: kitchen.atoms) == "switch the light")
    #expect(definition.title(for: kitchen.atoms) == "switch the light kitchen")
    #expect(definition.action(for: [Atom("lights", "switch")]) == "switch the light everything")
    #expect(throws: CapabilityReferenceError.self) { try configuration.catalogue.parse("lights:switch") }
    #expect(try configuration.catalogue.parse("lights:plan@/srv/p,q").atoms.count == 1)
  }
}
