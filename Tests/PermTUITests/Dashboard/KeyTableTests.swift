import Foundation
import PermModel
import Testing

@testable import PermTUI

@Suite("The key table")
struct KeyTableTests {
  @Test("In no place does a key mean two things")
  func conflicts() {
    #expect(KeyTable().conflicts.isEmpty)
  }

  @Test("The documentation lists the keys as they are")
  func documentation() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    let file = root.appending(path: "docs/keys.md")
    if ProcessInfo.processInfo.environment["PERMTUI_UPDATE_GOLDENS"] == "1" {
      try KeyTable().markdown.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == KeyTable().markdown)
  }

  @Test("The README shows the keys as they are")
  func readme() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    let file = root.appending(path: "README.md")
    var text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.range(of: "| key | what it does |\n"))
    let end = try #require(text.range(of: "\n\n", range: start.upperBound..<text.endIndex))
    let shown = start.lowerBound..<text.index(before: end.upperBound)
    let table = KeyTable().shortMarkdown
    if ProcessInfo.processInfo.environment["PERMTUI_UPDATE_GOLDENS"] == "1" {
      text.replaceSubrange(shown, with: table)
      try text.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(text[shown] == table)
    }
  }

  @Test("Every key can be named as help writes it")
  func names() {
    for binding in KeyTable.standard {
      for key in binding.keys { #expect(Key(name: key.description) == key) }
    }
  }

  @Test("A person may choose keys, switch off bell, title and colours")
  func settings() {
    let settings = DashboardSettings(
      text: """
        [dashboard]
        bell = false
        title = false
        colors = "none"
        theme = "light"
        [keys]
        undo = ["Z", "F2"]
        allow = ["A", "F4"]
        """, file: "config.toml")
    #expect(settings.problems.isEmpty)
    #expect(!settings.rings && !settings.setsTitle && settings.colors == .none && settings.theme == .light)
    #expect(settings.keys.command(for: "A", in: .request) == .allow)
    #expect(settings.keys.command(for: "a", in: .request) == nil)
    #expect(settings.keys.command(for: "Z", in: .list) == .undo)
    #expect(settings.keys.command(for: "u", in: .list) == nil)
  }

  @Test(
    "A wrong setting is reported with its key, and the default holds",
    arguments: [
      ("[dashboard]\nbell = 3", "dashboard.bell"), ("[dashboard]\nbeep = true", "dashboard.beep"),
      ("[keys]\nundo = [\"Hyper-U\"]", "keys.undo"), ("[keys]\nallow = [\"d\"]", "keys.allow"),
      ("[keys]\nallow = [\"Enter\"]", "keys.allow"), ("[keys]\nfly = [\"z\"]", "keys.fly"),
      ("[keys]\npress = []\nallow = [\"Enter\"]", "keys.allow"),
      ("[keys]\npage-down = []\nallow = [\"Space\"]", "keys.allow"),
      ("[keys]\nconfirm = [\"Tab\"]", "keys.confirm"), ("[keys]\ninterrupt = [\"x\"]", "keys.interrupt"),
      ("[keys]\nsort = [\"?\"]", "keys.sort"), ("[keys]\nnarrow = [\"^C\"]", "keys.narrow"),
      ("[dashboard]\ncolors = true", "dashboard.colors"),
      (
        "[dashboard]\ncolors = \"88\"", "dashboard.colors: must be one of \"auto\", \"256\", \"16\", \"none\""
      ),
      ("[dashboard]\ntheme = \"solarized\"", "dashboard.theme"), ("dashboard = 3", "dashboard"),
      ("[dashboard]\nbell = \n", "config.toml:2"),
    ])
  func wrong(text: String, place: String) {
    let settings = DashboardSettings(text: text, file: "config.toml")
    #expect(settings.problems.map(\.description).contains { $0.contains(place) })
    #expect(settings.rings)
    #expect(settings.keys.command(for: "u", in: .list) == .undo)
    #expect(settings.keys.command(for: "a", in: .request) == .allow)
    #expect(settings.keys.command(for: "d", in: .request) == .deny)
    #expect(settings.keys.command(for: " ", in: .request) != .allow)
    #expect(settings.keys.command(for: .enter, in: .request) != .allow)
    #expect(settings.keys.command(for: .control("c"), in: .request) == .interrupt)
  }

  @Test("The dashboard says how many settings are wrong, and names the first one by its key")
  func report() {
    let problems = DashboardSettings(
      text: "[dashboard]\nbell = 3\ncolors = \"88\"", file: "/home/ana/.config/permtui/config.toml"
    ).problems
    #expect(
      Report(problems)?.text
        == "2 mistakes (permtui doctor): config.toml: dashboard.bell: must be true or false")
    #expect(Report(Array(problems.prefix(1)))?.text == "config.toml: dashboard.bell: must be true or false")
    #expect(Report([]) == nil)
    #expect(problems.joined(with: problems) == problems)
  }

  @Test("docs/configuration.md has every setting, and what it shows is right")
  func configurationDocument() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    let text = try String(contentsOf: root.appending(path: "docs/configuration.md"), encoding: .utf8)
    for setting in ScreenSetting.allCases {
      #expect(text.contains("| `\(setting.rawValue)` |"), "\(setting)")
    }
    for choice in ColorSetting.allCases { #expect(text.contains("`\"\(choice.rawValue)\"`")) }
    for choice in ThemeSetting.allCases { #expect(text.contains("`\"\(choice.rawValue)\"`")) }
    let example = try #require(text.components(separatedBy: "```toml\n").dropFirst().first)
    let toml = example.components(separatedBy: "```")[0]
    let environment = ProbeEnvironment(root: "/nonexistent", home: "/home/ana")
    #expect(DashboardSettings(text: toml, file: "config.toml").problems.isEmpty)
    #expect(UserConfiguration(text: toml, file: "config.toml", environment).problems.isEmpty)
    for table in [
      "photos", "calendar", "contacts", "health", "passbook", "journal", "dashboard", "keys", "prompt",
    ] {
      #expect(toml.contains("[\(table)]"), "\(table)")
    }
  }
}
