import Foundation
import TerminalTesting
import Testing

@Suite("Two dashboards report to each other", .timeLimit(.minutes(5)))
struct TwoDashboardsTests {
  private let home: AskingHome

  init() throws {
    home = try AskingHome()
    try home.write("#!/bin/bash\npermtui request photos --as job4 --reason copies\n", to: "job4.sh")
  }

  /// Starts the dashboard that becomes the broker, and one beside it.
  private func dashboards() throws -> (first: TerminalSession, second: TerminalSession) {
    let first = try home.terminalPermtui()
    try first.expect("listening")
    let second = try home.terminalPermtui()
    try second.expect("second dashboard")
    return (first, second)
  }

  @Test(
    "A request that is set aside on one is reported as set aside on the other, which can answer it",
    arguments: [true, false])
  func setAside(onTheBroker: Bool) async throws {
    let (first, second) = try dashboards()
    let (here, there) = onTheBroker ? (first, second) : (second, first)
    async let asking = home.run(["job4.sh"])
    try there.expectArmed("job4 asks to")
    try here.expectArmed("job4 asks to")
    here.press(.escape)
    try there.expect("Set aside elsewhere")
    try there.expect("was set aside elsewhere; w lists it")
    try there.expect("1 waiting")
    try here.expectGone("job4 asks to")
    try there.expect("an armed button") { $0.isArmed }
    there.press(.escape)
    try there.expectGone("Set aside elsewhere")
    for dashboard in [here, there] {
      dashboard.type("w")
      try dashboard.expect("the request in the list") { picture in
        picture.lines.contains { $0.contains("job4") && $0.contains("set aside") }
      }
    }
    #expect(try await home.permtui("log", "--kind", "set-aside").output.contains("by a dashboard"))
    there.press(.enter)
    try there.expectArmed("job4 asks to")
    there.type("d")
    #expect(try await asking.output == "denied\n")
  }

  @Test("Line by line, the second says that the broker has gone, and that it has taken over")
  func takenOver() async throws {
    let first = try home.terminalPermtui()
    try first.expect("listening")
    let second = try home.terminalPermtui("--plain")
    try second.expect("Programs: second dashboard.")
    first.type("q")
    try second.expect("The broker has gone: the next dashboard takes over.")
    try second.expect("Programs: listening.")
    async let asking = home.run(["job4.sh"])
    try second.expect("the request to answer") { picture in
      picture.contains("job4 asks to")
        && picture.lines.last { !$0.isEmpty }?.hasPrefix("Answer:") == true
    }
    second.type("deny\n")
    #expect(try await asking.output == "denied\n")
  }

  @Test("An allow on one is taken back on the other, and both say so")
  func takenBack() async throws {
    let (first, second) = try dashboards()
    async let asking = home.run(["job4.sh"])
    try first.expectArmed("job4 asks to")
    try second.expectArmed("job4 asks to")
    second.type("6")
    try second.expect("(6)")
    second.type("a")
    #expect(try await asking.output == "allowed\n")
    try first.expect("Allowed elsewhere")
    try first.expect("was allowed by another dashboard (pid ")
    try first.expect("an armed button") { $0.isArmed }
    first.type("d")
    try first.expect("Taken back. It was already told yes: photos for job4.")
    try second.expect("Taken back by another dashboard (pid ")
    #expect(!second.picture.contains("Allowed photos"))
    let status = try await home.permtui("status", "photos")
    #expect(status.ending == .exited(1), "\(status.output)")
  }
}
