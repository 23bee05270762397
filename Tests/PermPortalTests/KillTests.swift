import Foundation
import PermModel
import TerminalTesting
import Testing
import Waiting

@testable import PermPortal

@Suite(
  "Kills while an app waits", .timeLimit(.minutes(20)), .needs(file: TestDesktop.portal),
  .needs("dbus-daemon"),
  .needs("bwrap"), .needs("gdbus"), .needs(file: "/usr/lib/python3/dist-packages/dbus"),
  .needs(file: "/usr/lib/python3/dist-packages/gi"))
struct KillTests {
  /// The number of kills: few, or as many as `make check-long` wants.
  private static let count =
    ProcessInfo.processInfo.environment["PERMTUI_PORTAL_KILLS"].flatMap { Int($0) } ?? 3

  @Test("However often the backend is killed, nothing is stored that nobody has answered")
  func kills() async throws {
    try await TestDesktop.run { desktop in
      try await desktop.startPortal()
      for number in 0..<Self.count {
        try await kill(desktop, "org.example.Killed\(number)")
      }
    }
  }

  /// Kills the backend at some moment after an app has asked, lets the bus start it again, and waits until nothing is stored.
  private func kill(_ desktop: TestDesktop, _ app: String) async throws {
    async let answer = desktop.askForCamera(as: app, "one")
    try await until { try !desktop.store.waitingRequests().isEmpty }
    // Some are killed before the alert is there, some long after.
    if Bool.random() { _ = await desktop.presenter.next() }
    try await desktop.kill("permtui-portal")
    #expect(try await answer != ["response one 0"])
    try await desktop.run("gdbus", "wait", "--session", "--activate", PortalService.name, PortalService.name)
    try await desktop.untilRow(app, is: "")
    try await until { try desktop.store.waitingRequests().isEmpty }
  }
}
