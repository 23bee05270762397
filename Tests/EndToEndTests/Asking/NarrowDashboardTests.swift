import TerminalTesting
import Testing

@Suite("A dashboard of 40×10", .timeLimit(.minutes(5)))
struct NarrowDashboardTests {
  @Test("names a request that works everywhere on a larger screen, and answers it on the small one")
  func answering() async throws {
    let home = try AskingHome()
    let dashboard = try home.terminal([BuiltProgram.path], columns: 100, rows: 40)
    try dashboard.expect("permtui request commands:run@'git")
    dashboard.resize(columns: 40, rows: 10)
    try dashboard.expect("a small frame") { $0.rows.count == 10 && $0.contains("0 waiting") }
    async let asking = ProcessRun.run(
      "/usr/bin/env", ["permtui", "request", "system:look@hostname", "--as", "me", "--wait", "300"],
      environment: home.environment, limit: .seconds(120))
    try dashboard.expect("an alert that can be answered") { $0.contains("[ Deny ]") && $0.isArmed }
    // The keys name the one that shows more. A line counts once it was on the screen for half a second, and the title
    // counts seconds.
    func title(_ picture: ScreenPicture) -> String? { picture.lines.first { $0.contains("gives up") } }
    for _ in 0..<20 where dashboard.picture.contains("Space more") {
      let before = title(dashboard.picture)
      try dashboard.expect("the next second") { title($0) != before || !$0.contains("Space more") }
      guard dashboard.picture.contains("Space more") else { break }
      dashboard.type(" ")
    }
    try dashboard.expect("all lines seen") { $0.contains("a allow") && $0.isArmed }
    dashboard.type("a")
    try dashboard.expectGone("[ Deny ]")
    let run = try await asking
    #expect(run.output == "allowed\n", "\(run.messages)")
    dashboard.type("w")
    try dashboard.expect("Nothing waits.")
  }
}
