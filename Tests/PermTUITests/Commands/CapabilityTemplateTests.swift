import PermModel
import Testing

@testable import PermTUI

@Suite("The template for a capability of one's own")
struct CapabilityTemplateTests {
  private let shell = TestShell(configuration: "[capability.vpn]")

  @Test("is valid as it is written, and so is everything in it that is commented out")
  func valid() throws {
    let run = shell.run("capabilities", "--new", "deploy-2")
    #expect(run.status == 0)
    #expect(run.messages.contains("config.toml"))
    let asWritten = TestShell(configuration: run.output)
    #expect(asWritten.run("capabilities", "--check").status == 0)
    #expect(
      asWritten.run("allow", "backup", "deploy-2").output == "allowed deploy-2 for backup forever\n")
    let all = run.output.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      ["# [", "# probe", "# action", "# implies", "# severity", "# values"].contains { line.hasPrefix($0) }
        ? line.dropFirst(2) : line
    }
    let used = TestShell(configuration: all.joined(separator: "\n")).run("capabilities", "--check")
    #expect(used.status == 0, "\(used.messages)")
    #expect(run.output.contains(" severe: every yes to severe needs a typed word\n"))
    #expect(all.count { $0.hasPrefix("[capability.deploy-2.requirements.") } == 3)
  }

  @Test(
    "is refused for a name that the configuration cannot have",
    arguments: [["photos"], ["vpn"], ["Deploy"], ["a b"], ["x", "--check"], ["x", "photos"]])
  func refused(arguments: [String]) {
    let run = shell.run(["capabilities", "--new"] + arguments)
    #expect(run.status == 64, "\(run.messages)")
    if ["Deploy", "a b"].contains(arguments) {
      #expect(run.messages.contains("a name consists of a to z, 0 to 9 and -, and has at most 32 characters"))
    }
    #expect(run.output.isEmpty)
  }
}
