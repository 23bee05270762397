import Foundation
import Glibc
import TerminalTesting
import Testing

@Suite("Many machines on one screen", .timeLimit(.minutes(5)), .enabled(if: geteuid() == 0))
struct ManyMachinesTests {
  /// The home of the person, who answers for all of them.
  private let home: AskingHome

  init() throws { home = try AskingHome() }

  private func dashboard(rows: Int = 40) throws -> TerminalSession {
    let session = try home.terminal(["permtui"], columns: 100, rows: rows, patience: .seconds(120))
    try session.expect("listening")
    return session
  }

  @Test("Requests of fifty machines are listed, marked and answered together, each on its own machine")
  func fifty() async throws {
    let park = try await MachinePark(50, for: home)
    let runs = try (1...50).map { try park.ask(on: $0, as: "backup\($0)") }
    let dashboard = try dashboard(rows: 140)
    // Alerts do not come up over the list.
    dashboard.type("w")
    try dashboard.expect("50 waiting")
    try dashboard.expect("a row of each machine") { picture in
      (1...50).allSatisfy { picture.contains("w\($0): backup\($0)") }
    }
    // The rows came in any order, so the selection can be anywhere.
    dashboard.type("g" + String(repeating: " ", count: 50))
    try dashboard.expect("allow 50")
    dashboard.type("a")
    try dashboard.expect("Allow 50 requests?")
    try dashboard.expectArmed("Allow 50 requests?")
    dashboard.type("y")
    try dashboard.expect("Allowed 50 of 50.")
    for (number, run) in zip(1..., runs) {
      #expect(try await run.value.ending == .exited(0))
      let log = try await park.homes[number - 1].permtui("log", "--kind", "answered").output
      #expect(log.count(of: "by the operator ana") == 1 && log.contains("backup\(number)"), "\(log)")
    }
    // The first one leads to the first view, and each counts only by itself.
    dashboard.type("q")
    try dashboard.expectGone("› Waiting")
    dashboard.type("q")
    #expect(try dashboard.waitForEnd() == .exit(code: 0))
  }

  @Test("A flood on one machine delays the alert of another one by one alert at most")
  func flood() async throws {
    let park = try await MachinePark(2, for: home)
    let flood = try (1...12).map { try park.ask(on: 1, as: "flood\($0)") }
    defer { for run in flood { run.cancel() } }
    let dashboard = try dashboard()
    try dashboard.expect("12 waiting")
    // An alert that stood there while others came waits for a sign of the person.
    dashboard.type(" ")
    try dashboard.expect("an armed alert of w1") {
      $0.contains(" on w1 asks to read your photos") && $0.isArmed
    }
    let other = try park.ask(on: 2)
    try dashboard.expect("13 waiting")
    dashboard.type("d")
    try dashboard.expectArmed("backup on w2 asks to read your photos")
    dashboard.type("a")
    #expect(try await other.value.ending == .exited(0))
  }
}

extension String {
  /// Returns how often a text occurs.
  fileprivate func count(of text: String) -> Int { components(separatedBy: text).count - 1 }
}
