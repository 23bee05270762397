import Testing

@testable import PermModel

@Suite("Patterns of other tools")
struct ForeignPatternTests {
  /// Returns a reference as it is read here, or the advice of the pattern in it.
  private func resolved(_ text: String) throws -> String {
    do throws(CapabilityReferenceError) {
      return try CapabilityCatalogue.builtIn.resolvingPatterns(in: text)
    } catch .wrongValue(.pattern(let pattern), in: _) {
      return "! \(pattern.advice)"
    }
  }

  @Test(
    "Stars at the end of a path mean the folder",
    arguments: [
      ("files:read@~/.ssh/*", "files:read@~/.ssh/"), ("files:read@./secret/**", "files:read@./secret/"),
      ("files:write@/srv/a/**/*", "files:write@/srv/a/"), ("files:read@/*", "files:read@/"),
    ])
  func folders(_ text: String, _ meant: String) throws {
    #expect(try resolved(text) == meant)
    #expect(try resolved(meant) == meant)
  }

  @Test(
    "A pattern that means nothing here is refused, with the spelling that works",
    arguments: [
      ("files:read@**/.env", "write each path"), ("files:read@/srv/*.key", "write a folder with /"),
      ("files:read@/srv/*/key", "write a folder"), ("files:read@**", "write * alone"),
      ("files:read@$HOME/.ssh/", "write ~/.ssh/"), ("files:read@${HOME}/.ssh/*", "write ~/.ssh/"),
      ("files:read@$XDG_CONFIG_HOME/a", "write the whole path"),
      ("files:read@$HOMEWORK", "write the whole path"),
      ("files:read@Read(~/.ssh/**)", "write files:read@~/.ssh/"),
      ("commands:run@rm *", "write rm … for all lines that begin so, or rm \\* for"),
      ("commands:run@git push:*", "write git push … for all lines that begin so"),
      ("commands:run@Bash(git push:*)", "write commands:run@git push …"),
      ("commands:run@Bash(ls)", "write commands:run@ls"),
      ("network:connect@WebFetch(domain:example.org)", "write network:connect@example.org"),
      ("network:connect@domain:example.org", "write example.org"),
      ("network:connect@https://example.org/*", "write the host alone: example.org"),
      ("tools:use@mcp__github", "write mcp__github__* for all tools"),
      ("tools:use@mcp__*__read", "a star can only"),
      ("tools:use@Bash(ls)", "write commands:run@ls"),
      ("environment:read@A,read@*_KEY", "a star can only be at the end"),
      ("environment:read@**", "a star can only"),
    ])
  func refused(_ text: String, _ advice: String) throws {
    let found = try resolved(text)
    #expect(found.hasPrefix("! \(advice)"), "\(found)")
  }

  @Test(
    "A pattern that has a meaning here is left as it is",
    arguments: [
      "files:read@/srv/[id].tsx", "files:read@/srv/a\\*b", "files:read@/srv/\\*", "files:read@*",
      "files:read@/srv/a,b", "commands:run@rm \\*", "commands:run@ls *.txt", "commands:run@rm …",
      "commands:run@(cd a && ls)", "commands:run@f(x)", "commands:run@*", "network:connect@*.example.org",
      "network:connect@https://example.org", "tools:use@mcp__github__*", "tools:use@mcp__github__close",
      "tools:use@Bash", "environment:read@AWS_*", "environment:read@A,read@B_*", "environment:read@A\\*B",
      "photos",
      "calendar:reminders", "nothing:like@*/this*",
    ])
  func kept(_ text: String) throws {
    #expect(try resolved(text) == text)
  }

  @Test(
    "A mistake in the machine's policy never forbids less: a pattern is reported, and all values are forbidden"
  )
  func policy() {
    var table = ConfigurationTable(file: "policy.toml", values: ConfigurationEntries())
    let values = PolicyValues(["**/.env"], of: ["read"], Capability.Files.definition, "/home/ana")
    #expect(values.texts(&table) == nil)
    #expect(table.problems.map(\.message).first?.contains("is a pattern of another program") == true)
    let folder = PolicyValues(["/srv/none/**"], of: ["read"], Capability.Files.definition, "/home/ana")
    #expect(folder.texts(&table) == ["read@/srv/none/"])
  }
}
