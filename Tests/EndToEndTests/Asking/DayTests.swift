import TerminalTesting
import Testing

@Suite("The day in a dashboard", .timeLimit(.minutes(5)))
struct DayTests {
  @Test("lists what a rule answered, before the view was opened and while it is open")
  func byRule() async throws {
    let home = try AskingHome()
    try home.write("#!/bin/bash\npermtui request photos:read --as backup --wait 30\n", to: "ask.sh")
    #expect(try await home.permtui("allow", "backup", "photos:read").ending == .exited(0))
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("listening")
    #expect(try await home.run(["ask.sh"]).output == "allowed\n")
    dashboard.type("t")
    try dashboard.expect("1 by a rule")
    dashboard.type("\r")
    try dashboard.expect("allowed by a rule")
    #expect(try await home.run(["ask.sh"]).output == "allowed\n")
    try dashboard.expect("2 by a rule")
  }
}
