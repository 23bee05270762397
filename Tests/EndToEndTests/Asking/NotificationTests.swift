import Foundation
import TerminalTesting
import Testing

@Suite("The command that tells of what waits, through the built program", .timeLimit(.minutes(5)))
struct NotificationTests {
  private let home: AskingHome

  init() throws {
    home = try AskingHome()
    try home.write("#!/bin/bash\npermtui request photos --as \"$1\" --wait 30\n", to: "ask.sh")
  }

  private func configure(_ text: String) throws {
    let folder = home.folder.file(".config/permtui")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: "\(folder)/config.toml", atomically: false, encoding: .utf8)
  }

  private func desktopRecipe() throws -> String {
    let page = try String(contentsOfFile: Repository.path("docs/recipes.md"), encoding: .utf8)
    let section = try #require(
      page.components(separatedBy: "\n## ").first { $0.hasPrefix("Be told that something waits\n") })
    let code = try #require(section.components(separatedBy: "```toml\n").dropFirst().first)
    return try #require(code.components(separatedBy: "```").first)
  }

  @Test("The recipe for a desktop tells who waits, and carries out nothing that a program's name says")
  func desktop() async throws {
    try configure(try desktopRecipe() + "after = \"1s\"\n")
    let told = home.folder.file("told")
    try home.write(
      "#!/bin/sh\nprintf '%s|' \"$@\" >'\(told).new' && mv '\(told).new' '\(told)'\n", to: "notify-send")
    let broker = try home.broker()
    async let asking = home.run(["ask.sh", "x$(touch mark)"])
    let deadline = ContinuousClock.now + .seconds(60)
    while !FileManager.default.fileExists(atPath: told), ContinuousClock.now < deadline { await Task.yield() }
    let words = try String(contentsOfFile: told, encoding: .utf8)
    #expect(words == "--|PermTUI: 1 waiting|x$(touch mark) asks for photos:read|")
    let id = try await home.waitingIDs(1)[0]
    _ = try await home.answer(id, "deny")
    #expect(try await asking.ending == .exited(1))
    #expect(!FileManager.default.fileExists(atPath: home.folder.file("mark")))
    withExtendedLifetime(broker) {}
  }

  @Test("A command that cannot be started is a line in the journal, and no more")
  func failing() async throws {
    try configure("[notify]\ncommand = [\"no-such-program\"]\nafter = \"1s\"\n")
    let broker = try home.broker()
    let watch = try home.terminalPermtui("watch")
    try watch.expect("watching, ^C ends it")
    async let asking = home.run(["ask.sh", "x"])
    try watch.expect("notify-failed")
    let id = try await home.waitingIDs(1)[0]
    _ = try await home.answer(id, "deny")
    #expect(try await asking.ending == .exited(1))
    #expect(try await home.permtui("log", "--kind", "notify-failed").output.contains("no-such-program"))
    withExtendedLifetime((broker, watch)) {}
  }
}
