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
        colors = false
        [keys]
        undo = ["z", "F2"]
        """, file: "config.toml")
    #expect(settings.problems.isEmpty)
    #expect(!settings.rings && !settings.setsTitle && !settings.usesColor)
    #expect(settings.keys.command(for: "z", in: [.list]) == .undo)
    #expect(settings.keys.command(for: "u", in: [.list]) == nil)
  }

  @Test(
    "A wrong setting is reported with its key, and the default holds",
    arguments: [
      ("[dashboard]\nbell = 3", "dashboard.bell"), ("[dashboard]\nbeep = true", "dashboard.beep"),
      ("[keys]\nundo = [\"Hyper-U\"]", "keys.undo"), ("[keys]\nallow = [\"d\"]", "keys.allow"),
      ("[keys]\nallow = [\"Enter\"]", "keys.allow"), ("[keys]\nfly = [\"z\"]", "keys.fly"),
    ])
  func wrong(text: String, place: String) {
    let settings = DashboardSettings(text: text, file: "config.toml")
    #expect(settings.problems.map(\.description).contains { $0.contains(place) })
    #expect(settings.rings)
    #expect(settings.keys.command(for: "u", in: [.list]) == .undo)
    #expect(settings.keys.command(for: "a", in: [.request]) == .allow)
    #expect(settings.keys.command(for: "d", in: [.request]) == .deny)
    #expect(settings.keys.command(for: .enter, in: [.request]) == .press)
  }
}
