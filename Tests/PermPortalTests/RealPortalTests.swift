import Foundation
import PermModel
import TerminalTesting
import Testing
import Waiting

@testable import PermPortal

@Suite(
  "The real portal asks here", .serialized, .timeLimit(.minutes(5)), .needs(file: TestDesktop.portal),
  .needs("dbus-daemon"), .needs("bwrap"), .needs("gdbus"),
  .needs(file: "/usr/lib/python3/dist-packages/dbus"),
  .needs(file: "/usr/lib/python3/dist-packages/gi"))
struct RealPortalTests {
  private let app = "org.example.Cam"

  @Test("A yes for once lets the app begin, and is taken out of the desktop's store after ten seconds")
  func once() async throws {
    try await TestDesktop.run { desktop in
      try await desktop.startPortal()
      async let answer = desktop.askForCamera(as: app, "one")
      let alert = await desktop.presenter.next().alert
      #expect(alert.request.subject == Subject(vouched: "app:org.example.Cam"))
      #expect(alert.request.reason == PortalUse.camera.reason)
      try await desktop.presenter.answer(.allow)
      #expect(try await answer == ["response one 0"])
      try await desktop.untilRow(app, is: "yes")
      try await desktop.untilRow(app, is: "")
    }
  }

  @Test("A no that nobody gave is not kept by the desktop")
  func unanswered() async throws {
    try await TestDesktop.run { desktop in
      try await desktop.startPortal()
      async let answer = desktop.askForCamera(as: app, "one")
      _ = await desktop.presenter.next()
      try await desktop.kill("permtui-portal")
      #expect(try await answer != ["response one 0"])
      try await desktop.untilRow(app, is: "no")
      // The session's bus starts the backend again when another app asks.
      async let other = desktop.askForCamera(as: "org.example.Other", "two")
      _ = await desktop.presenter.next()
      try await desktop.untilRow(app, is: "")
      try await desktop.presenter.answer(.deny)
      #expect(try await other == ["response two 1"])
      try await desktop.untilRow("org.example.Other", is: "")
    }
  }

  @Test("A decision that is kept answers the next time, and forgetting it acts at once")
  func kept() async throws {
    try await TestDesktop.run { desktop in
      try await desktop.startPortal()
      async let answer = desktop.askForCamera(as: app, "one")
      _ = await desktop.presenter.next()
      try await desktop.presenter.answer(.allow, .forever)
      #expect(try await answer == ["response one 0"])
      try await desktop.untilRow(app, is: "yes")
      #expect(try await desktop.askForCamera(as: app, "two") == ["response two 0"])
      _ = try desktop.store.forget(DecisionFilter(), by: .commandLine)
      try await desktop.untilRow(app, is: "")
    }
  }

  @Test("Three requests of one app at once all get the answer")
  func three() async throws {
    try await TestDesktop.run { desktop in
      try await desktop.startPortal()
      async let answer = desktop.askForCamera(as: app, "one", "two", "three")
      _ = await desktop.presenter.next()
      try await until { try desktop.store.waitingRequests().count == 3 }
      // A request that joins no other has an alert of its own, and between two alerts nothing is shown for a moment.
      let answering = Task {
        while !Task.isCancelled {
          if desktop.presenter.isShowing { try await desktop.presenter.answer(.allow) }
          await Task.yield()
        }
      }
      #expect(try await Set(answer) == ["response one 0", "response two 0", "response three 0"])
      answering.cancel()
      try await desktop.untilRow(app, is: "yes")
    }
  }

  @Test("A portal that is killed while asked withdraws the alert, and nothing is stored")
  func killedPortal() async throws {
    try await TestDesktop.run { desktop in
      try await desktop.startPortal()
      async let answer = desktop.askForCamera(as: app, "one")
      _ = await desktop.presenter.next()
      try await desktop.kill("xdg-desktop-portal")
      try await until { try desktop.store.waitingRequests().isEmpty }
      try await desktop.kill("python3")
      _ = try? await answer
      #expect(try await desktop.row(app) == "")
    }
  }
}
