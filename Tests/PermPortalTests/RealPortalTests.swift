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

  @Test("A backend that is told to end takes back what it would take back later")
  func stopped() async throws {
    try await TestDesktop.run { desktop in
      try await desktop.startPortal()
      async let first = desktop.askForCamera(as: app, "one")
      _ = await desktop.presenter.next()
      try await desktop.presenter.answer(.allow)
      #expect(try await first == ["response one 0"])
      try await desktop.untilRow(app, is: "yes")
      async let second = desktop.askForCamera(as: "org.example.Other", "two")
      _ = await desktop.presenter.next()
      try await desktop.kill("permtui-portal", by: SIGTERM)
      // This version of the portal tells the app the same as after a no, and stores a no that nobody gave.
      #expect(try await second == ["response two 1"])
      #expect(try await desktop.row(app) == "")
      #expect(try await desktop.row("org.example.Other") == "")
      try await until { try desktop.store.waitingRequests().isEmpty }
    }
  }
}

@Suite(
  "The real portal asks about everything", .serialized, .timeLimit(.minutes(5)),
  .needs(file: TestDesktop.portal),
  .needs("dbus-daemon"), .needs("bwrap"), .needs("gdbus"),
  .needs(file: "/usr/lib/python3/dist-packages/dbus"),
  .needs(file: "/usr/lib/python3/dist-packages/gi"))
struct RealUsesTests {
  private let app = "org.example.App"

  /// A use, and the answers of the portal to a yes and to a no.
  struct Asked: CustomTestStringConvertible, Sendable {
    var use: PortalUse
    var no: Int
    var testDescription: String { use.rawValue }
  }

  @Test(
    "A yes and a no reach the app, and are kept for as long as they hold",
    arguments: [
      Asked(use: .microphone, no: 1), Asked(use: .speakers, no: 1), Asked(use: .screenshot, no: 2),
      Asked(use: .wallpaper, no: 2),
    ])
  func answers(_ asked: Asked) async throws {
    let (use, row) = (asked.use, asked.use.row(of: app))
    try await TestDesktop.run { desktop in
      try await desktop.startPortal()
      async let yes = desktop.ask(for: use.rawValue, as: app, ["one"])
      let alert = await desktop.presenter.next().alert
      #expect(alert.request.atoms == use.atoms)
      #expect(alert.request.reason == use.reason)
      try await desktop.presenter.answer(.allow, .forever)
      #expect(try await yes == ["response one 0"])
      try await desktop.untilRow(app, row.table, row.id, is: "yes")
      _ = try desktop.store.forget(DecisionFilter(), by: .commandLine)
      try await desktop.untilRow(app, row.table, row.id, is: "")
      async let no = desktop.ask(for: use.rawValue, as: app, ["two"])
      _ = await desktop.presenter.next()
      try await desktop.presenter.answer(.deny, .forever)
      #expect(try await no == ["response two \(asked.no)"])
      try await desktop.untilRow(app, row.table, row.id, is: "no")
    }
  }

  @Test("A yes to the exact location gives it, and is narrowed, taken back and denied later")
  func location() async throws {
    try await TestDesktop.run { desktop in
      try await desktop.startSystemBus()
      try await desktop.startPortal()
      async let yes = desktop.ask(for: "location", as: app, ["one"])
      #expect(await desktop.presenter.next().alert.request.atoms == PortalUse.location.atoms)
      try await desktop.presenter.answer(.allow, .forever)
      #expect(try await yes == ["response one 0", "accuracy 8"])
      try await desktop.untilRow(app, "location", "location", is: "EXACT")
      _ = try desktop.store.forget(DecisionFilter(), by: .commandLine)
      try await desktop.untilRow(app, "location", "location", is: "")
      async let no = desktop.ask(for: "location", as: app, ["two"])
      _ = await desktop.presenter.next()
      try await desktop.presenter.answer(.deny, .forever)
      #expect(try await no == ["response two 1"])
      try await desktop.untilRow(app, "location", "location", is: "NONE")
    }
  }

  @Test("If only the approximate location is allowed, the app gets the city from the next time on")
  func city() async throws {
    try await TestDesktop.run { desktop in
      try await desktop.startSystemBus()
      try await desktop.startPortal()
      async let first = desktop.ask(for: "location", as: app, ["one"])
      _ = await desktop.presenter.next()
      try await desktop.presenter.answer(.allow, .forever, only: "when-in-use")
      #expect(try await first == ["response one 1"])
      try await desktop.untilRow(app, "location", "location", is: "CITY")
      #expect(try await desktop.ask(for: "location", as: app, ["two"]) == ["response two 0", "accuracy 4"])
    }
  }
}
