import Testing

@testable import PermModel

@Suite("Settings of git that run programs")
struct GitSettingsTests {
  private func names(_ text: String) -> [String] { GitSettings(text)?.programs.map(\.name) ?? ["?"] }

  @Test(
    "Each kind is found, however it is written",
    arguments: [
      ("[core]\n\tfsmonitor = ./fsm.sh", "core.fsmonitor"), ("[CORE]\nHooksPath=.githooks", "core.hookspath"),
      ("[filter \"x\"] clean = tools/clean.sh", "filter.clean"),
      ("[diff \"a.b\"]\n textconv = x", "diff.textconv"),
      ("[include]\npath = ../.gitshared", "include.path"),
      ("[includeIf \"gitdir:~/a\"]\npath = x", "includeif.path"), ("[alias]\nst = !sh x", "alias.st"),
      ("[alias]\nst = \"!sh x\"", "alias.st"), ("[remote \"o\"]\nuploadpack = x", "remote.uploadpack"),
      ("[core]\npager = a \\\n hooksPath = b", "core.pager"),
      ("[alias]\nst = \"!f() { echo \\\"a\\\"; }\"", "alias.st"),
      ("[merge \"m\"]\ndriver = x", "merge.driver"), ("[core]\r\n\teditor = x\r\n", "core.editor"),
    ])
  func found(_ text: String, _ name: String) {
    #expect(names(text) == [name])
  }

  @Test(
    "A key that runs nothing is not named",
    arguments: [
      "[core]\nfsmonitor = true\nbare = false", "[user]\nname = path", "[alias]\nst = status",
      "# [core]\n#hooksPath = x", "; fsmonitor = x", "[remote \"o\"]\nurl = x", "",
    ])
  func harmless(_ text: String) {
    #expect(names(text).isEmpty)
  }

  @Test(
    "A file whose keys are not certain yields no settings",
    arguments: [
      "[", "[core", "\u{0}", "a = b", "[a.b]\nc = d", "[core]\n# a \\\nhooksPath = x",
      "[core]\na = b ; c \\\nd = e",
      "[core]\na\\\nb = c", "[core]\na = b\\", "[a \"b\\\"c\"]\nd = e", "[core]\n1a_b = c",
    ])
  func uncertain(_ text: String) { #expect(GitSettings(text) == nil) }

  @Test(
    "A line that goes on takes exactly the next one",
    arguments: [
      "[core]\na = b\\\n\nfsmonitor = x", "[core]\na = b\\\nc = d\nfsmonitor = x",
      "[core]\na = b\\\n\\\nc\nfsmonitor = x", "[core]\na = b\\\\\nfsmonitor = x",
      "[core]\na = b \\\r\n [user]\r\nfsmonitor = x",
    ])
  func continued(_ text: String) { #expect(names(text) == ["core.fsmonitor"]) }

  @Test("A value in odd quotation marks does not hide its key, and counts as no value")
  func oddValues() throws {
    let settings = try #require(GitSettings("[core]\nbare = \"fal\"se\nfsmonitor = \\\n false\n"))
    #expect(settings.firstHarmful(isOfRepository: true, whenSending: false) == "core.bare")
    let remote = try #require(GitSettings("[remote \"o\"]\nurl = https://a.b/c\"d\"\n"))
    #expect(remote.address(of: "o") == nil)
  }
}
