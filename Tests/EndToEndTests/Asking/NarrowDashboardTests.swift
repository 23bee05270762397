import TerminalTesting
import Testing

@Suite("A dashboard of 40×10", .timeLimit(.minutes(3)))
struct NarrowDashboardTests {
  @Test("names a request that works everywhere on a larger screen, and answers it on the small one")
  func answering() async throws {
    let home = try AskingHome()
    let dashboard = try home.terminal([BuiltProgram.path], columns: 100, rows: 40)
    try dashboard.expect("permtui request system:look@hostname --as me")
    dashboard.resize(columns: 40, rows: 10)
    try dashboard.expect("a small frame") { $0.rows.count == 10 && $0.contains("0 waiting") }
    async let asking = ProcessRun.run(
      "/usr/bin/env", ["permtui", "request", "system:look@hostname", "--as", "me", "--wait", "300"],
      environment: home.environment, limit: .seconds(120))
    try dashboard.expect("an alert that can be answered") { $0.contains("[ Deny ]") && $0.isArmed }
    // Allow works once each line has been on the screen for half a second. The title counts seconds.
    var last = ""
    for _ in 0..<60 where dashboard.picture.contains("allow after all") {
      let title = dashboard.picture.lines[1]
      try dashboard.expect("the next second") { $0.lines[1] != title || !$0.contains("allow after all") }
      guard dashboard.picture.contains("allow after all") else { break }
      let bottom = dashboard.picture.lines.last ?? ""
      if bottom == last { dashboard.type("g") } else { dashboard.press(.down) }
      last = bottom
    }
    try dashboard.expect("all lines seen") { !$0.contains("allow after all") && $0.isArmed }
    dashboard.type("a")
    let run = try await asking
    #expect(run.output == "allowed\n", "\(run.messages)")
    dashboard.type("w")
    try dashboard.expect("Nothing waits.")
  }
}
