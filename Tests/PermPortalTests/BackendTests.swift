import Foundation
import PermModel
import TerminalTesting
import Testing
import Waiting

@testable import PermPortal

@Suite(
  "The backend and its peers", .serialized, .timeLimit(.minutes(5)), .needs("dbus-daemon"),
  .needs(file: "/usr/libexec/xdg-permission-store"), .needs(file: "/usr/lib/python3/dist-packages/dbus"),
  .needs(file: "/usr/lib/python3/dist-packages/gi"))
struct BackendTests {
  private static let camera = "\"icon\": \"camera-web-symbolic\""

  /// Returns the answers in a test's output, in the order of the calls.
  private func answers(_ lines: [String]) -> [String] { lines.filter { $0.contains("\"number\"") }.sorted() }

  @Test("A peer that is not the portal is refused, whatever it asks")
  func peer() async throws {
    try await TestDesktop.run { desktop in
      let lines = try await desktop.playPortal(
        "{\"name\": false, \"calls\": [{\"app\": \"org.example.Cam\", \(Self.camera)}]}")
      #expect(answers(lines) == [#"{"error": "org.freedesktop.DBus.Error.AccessDenied", "number": 0}"#])
      #expect(try desktop.store.waitingRequests().isEmpty)
    }
  }

  @Test("Names and icons that cannot be asked about are answered without asking, and nothing crashes")
  func badInput() async throws {
    try await TestDesktop.run { desktop in
      let long = String(repeating: "x", count: 300)
      let calls = [
        #"{"app": "org.evil[31m.App", "icon": "camera-web-symbolic"}"#,
        #"{"app": "../../x", "icon": "camera-web-symbolic"}"#,
        #"{"app": "org.example.Cam", "icon": "something-else-symbolic"}"#,
        #"{"app": "org.example.Cam"}"#,
        #"{"app": "\#(long)", "icon": "camera-web-symbolic"}"#,
        #"{"app": "\#(long.prefix(100))", "icon": "camera-web-symbolic"}"#,
      ]
      let lines = try await desktop.playPortal("{\"calls\": [\(calls.joined(separator: ", "))]}")
      func other(_ number: Int) -> String { #"{"number": \#(number), "response": 2, "results": {}}"# }
      #expect(
        answers(lines) == [
          #"{"error": "org.freedesktop.DBus.Error.InvalidArgs", "number": 4}"#, other(0), other(1), other(2),
          other(3), other(5),
        ])
      #expect(try desktop.store.waitingRequests().isEmpty)
    }
  }

  @Test("A title of 100 KB is never shown, and the alert comes within the time that a person does not feel")
  func longTitle() async throws {
    try await TestDesktop.run { desktop in
      async let lines = desktop.playPortal(
        "{\"calls\": [{\"app\": \"org.example.Cam\", \(Self.camera), \"bytes\": 100000}]}")
      let (alert, moment) = await desktop.presenter.next()
      #expect(alert.request.reason == PortalUse.camera.reason)
      #expect(alert.request.details == nil)
      try await desktop.presenter.answer(.deny)
      #expect(try await answers(lines) == [#"{"number": 0, "response": 1, "results": {}}"#])
      let call = try #require(try await lines.first).split { !$0.isNumber }.last.flatMap { Int64($0) }
      print("from the call to the alert: \((moment - (call ?? 0)) / 1000) µs")
    }
  }

  @Test("An app without a name is answered once only, and the alert says so")
  func nameless() async throws {
    try await TestDesktop.run { desktop in
      async let lines = desktop.playPortal("{\"calls\": [{\"app\": \"\", \(Self.camera)}]}")
      let alert = await desktop.presenter.next().alert
      #expect(alert.lifetimes.filter { $0.disabledReason == nil }.map(\.choice) == [.once])
      #expect(alert.doubts.contains { $0.contains("does not say which app asks") })
      try await desktop.presenter.answer(.allow)
      #expect(try await answers(lines) == [#"{"number": 0, "response": 0, "results": {}}"#])
    }
  }

  @Test("A dialogue that the portal closes is withdrawn")
  func close() async throws {
    try await TestDesktop.run { desktop in
      let lines = try await desktop.playPortal(
        "{\"calls\": [{\"app\": \"org.example.Cam\", \(Self.camera), \"close\": 100}]}")
      #expect(answers(lines) == [#"{"number": 0, "response": 2, "results": {}}"#])
      try await until { try desktop.store.waitingRequests().isEmpty }
    }
  }

  @Test("Running without a window is asked about, in both ways in which the portal does")
  func background() async throws {
    try await TestDesktop.run { desktop in
      async let lines = desktop.playPortal(
        #"{"calls": [{"app": "org.example.One", "labels": true}, {"app": "org.example.Two", "notice": true}]}"#
      )
      for _ in 0..<2 {
        let alert = await desktop.presenter.next().alert
        #expect(alert.request.atoms == [Atom("tools", "use", .name("run-in-the-background"))])
        try await desktop.presenter.answer(.allow)
      }
      #expect(
        try await answers(lines) == [
          #"{"number": 0, "response": 0, "results": {}}"#,
          #"{"number": 1, "response": 0, "results": {"result": 1}}"#,
        ])
    }
  }

  @Test("A row that another program wrote is not touched")
  func otherWriter() async throws {
    try await TestDesktop.run { desktop in
      _ = try await desktop.storeProgram("set", "devices", "camera", "org.example.Other", "no")
      async let lines = desktop.playPortal("{\"calls\": [{\"app\": \"org.example.Cam\", \(Self.camera)}]}")
      _ = await desktop.presenter.next()
      try await desktop.presenter.answer(.deny)
      _ = try await lines
      _ = try await desktop.storeProgram("set", "devices", "camera", "org.example.Cam", "no")
      try await desktop.untilRow("org.example.Cam", is: "")
      #expect(try await desktop.row("org.example.Other") == "no")
    }
  }

  @Test("A row that the desktop refuses to take back is tried again")
  func refused() async throws {
    try await TestDesktop.run { desktop in
      let service = try await desktop.startRefusingStore()
      async let lines = desktop.playPortal("{\"calls\": [{\"app\": \"org.example.Cam\", \(Self.camera)}]}")
      _ = await desktop.presenter.next()
      try await desktop.presenter.dismiss()
      _ = try await lines
      _ = try await desktop.writeAsPortal(PortalUse.camera.row(of: "org.example.Cam"), ["no"])
      try await desktop.untilRow("org.example.Cam", is: "")
      withExtendedLifetime(service) {}
    }
  }

  @Test("Random calls are all answered, nothing is stored, and the backend goes on")
  func hostile() async throws {
    let wanted = ProcessInfo.processInfo.environment["PERMTUI_PORTAL_MESSAGES"].flatMap { Int($0) } ?? 200
    let seed = Int.random(in: 0..<1_000_000)
    try await TestDesktop.run { desktop in
      try await desktop.run(
        "gdbus", "call", "--session", "-d", PortalService.name, "-o", PortalService.path,
        "-m", "org.freedesktop.DBus.Peer.Ping")
      let backend = desktop.processes(of: "permtui-portal")
      var left = wanted
      while left > 0 {
        let count = min(left, 200)
        let end = try await desktop.playHostilePortal(count, seed: seed + left)
        #expect(end == "answered \(count) lost 0", "the seed is \(seed + left)")
        left -= count
      }
      #expect(desktop.processes(of: "permtui-portal") == backend)
      try await until { try desktop.store.waitingRequests().isEmpty }
      // No random call was made for this app, so none of their alerts is taken for this one.
      async let lines = desktop.playPortal("{\"calls\": [{\"app\": \"org.example.Last\", \(Self.camera)}]}")
      _ = await desktop.presenter.next { $0.request.subject == Subject(vouched: "app:org.example.Last") }
      try await desktop.presenter.answer(.allow)
      #expect(try await answers(lines) == [#"{"number": 0, "response": 0, "results": {}}"#])
    }
  }
}

/// Calls as the portals 1.18 to 1.22 make them, constructed from their published source. They were not recorded, and these
/// portals were not run.
@Suite(
  "The backend and newer portals", .serialized, .timeLimit(.minutes(5)), .needs("dbus-daemon"),
  .needs(file: "/usr/libexec/xdg-permission-store"), .needs(file: "/usr/lib/python3/dist-packages/dbus"),
  .needs(file: "/usr/lib/python3/dist-packages/gi"))
struct NewerPortalTests {
  /// A call, and the row that the portal writes after it.
  struct Call: CustomTestStringConvertible, Sendable {
    var use: PortalUse
    var app: String
    var options: String
    /// The app as the portal stores it.
    var stored: String
    var testDescription: String { "\(use.rawValue) of \(app)" }

    init(_ use: PortalUse, _ app: String, _ options: String, stored: String? = nil) {
      (self.use, self.app, self.options) = (use, app, options)
      self.stored = stored ?? app
    }
  }

  private static func labels(_ icon: String, _ others: String = "") -> String {
    #""deny_label": "Deny", "grant_label": "Allow", "icon": "\#(icon)"\#(others)"#
  }

  private static let calls = [
    Call(.camera, "org.example.Cam", #""icon": "camera-web-symbolic""#),
    Call(.camera, "snap.cheese", #""icon": "camera-web-symbolic""#),
    Call(.location, "org.example.Map", labels("find-location-symbolic")),
    // From 1.18.2 to 1.20, the desktop file of a Snap stands here, and its other name in the store.
    Call(.location, "maps_maps", labels("find-location-symbolic"), stored: "snap.maps"),
    Call(
      .wallpaper, "paint+two_paint", labels("preferences-desktop-wallpaper-symbolic"),
      stored: "snap.paint_two"),
    Call(.screenshot, "org.example.Shot", labels("applets-screenshooter-symbolic")),
    // From 1.21 on, the app says whether the dialogue is modal.
    Call(.screenshot, "org.example.Shot", labels("applets-screenshooter-symbolic", #", "modal": false"#)),
    Call(.background, "org.example.Sync", #""deny_label": "Don't allow", "grant_label": "Allow""#),
  ]

  @Test("Each dialogue asks about its use, and what nobody answered is taken back", arguments: calls)
  func asks(_ call: Call) async throws {
    try await TestDesktop.run { desktop in
      let order =
        #"{"calls": [{"app": "\#(call.app)", "options": {\#(call.options)}}]}"#
      async let lines = desktop.playPortal(order)
      let alert = await desktop.presenter.next().alert
      #expect(alert.request.atoms == call.use.atoms)
      #expect(alert.request.subject == Subject(vouched: "app:\(call.stored)"))
      try await desktop.presenter.dismiss()
      #expect(try await lines.contains(#"{"number": 0, "response": 2, "results": {}}"#))
      let row = call.use.row(of: call.stored)
      let value = call.use.permissions(for: .no) ?? []
      _ = try await desktop.writeAsPortal(row, value)
      try await desktop.untilRow(call.stored, row.table, row.id, is: "")
    }
  }
}
