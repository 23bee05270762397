import Foundation
import Machine
import PermModel
import TerminalTesting
import Testing
import Waiting

@testable import PermPortal

@Suite(
  "The desktop's rows on the screen", .serialized, .timeLimit(.minutes(5)), .needs("dbus-daemon"),
  .needs(file: "/usr/libexec/xdg-permission-store"), .needs(file: "/usr/lib/python3/dist-packages/dbus"))
struct DashboardTests {
  private func start(_ desktop: TestDesktop, _ arguments: String...) throws -> TerminalSession {
    let program = TestedProgram(
      path: BuiltProgram.path(of: "permtui"), arguments: arguments,
      environment: desktop.environment.merging(["TERM": "xterm-256color"]) { _, new in new })
    let session = try TerminalSession(program, columns: 110, rows: 30, patience: .seconds(60))
    try session.expect("PermTUI")
    return session
  }

  private func dashboard(_ desktop: TestDesktop) throws -> TerminalSession {
    let session = try start(desktop)
    session.type("p")
    return session
  }

  @Test("A row that somebody writes is on the screen; it is narrowed, removed, put back and journalled")
  func rows() async throws {
    try await TestDesktop.run { desktop in
      _ = try await desktop.storeProgram("set", "location", "location", "org.example.Map", "EXACT", "7")
      let screen = try dashboard(desktop)
      try screen.expect("desktop: location EXACT 7")
      screen.press(.enter)
      try screen.expect("desktop: location CITY 7")
      #expect(try await desktop.row("org.example.Map", table: "location", id: "location") == "CITY 7")
      screen.type("x")
      try screen.expect("no row, was CITY 7")
      #expect(try await desktop.row("org.example.Map", table: "location", id: "location") == "")
      screen.type("u")
      try screen.expect("desktop: location CITY 7")
      try await until { try journal(desktop).count == 3 }
      #expect(
        try journal(desktop) == [
          "location: CITY 7, was EXACT 7", "location: no row, was CITY 7", "location: CITY 7, was no row",
        ])
      try screen.expectGone("no row, was CITY 7")
      screen.type("q")
      try screen.expect("Who may use it")
      screen.type("q")
      try screen.waitForEnd()
      // The program that reads the store ends with its reader.
      try await until { desktop.processes(of: "permtui-portal").isEmpty }
    }
  }

  @Test("Line by line, a row is listed, narrowed and put back")
  func plain() async throws {
    try await TestDesktop.run { desktop in
      _ = try await desktop.storeProgram("set", "location", "location", "org.example.Map", "EXACT", "7")
      let lines = try start(desktop, "--plain")
      // The rows come from another program, so they may not be there yet.
      var tries = 0
      while !lines.picture.contains("org.example.Map: desktop: location EXACT 7") {
        tries += 1
        lines.type("desktop\nfind try\(tries)\n")
        try lines.expect("find try\(tries)")
      }
      lines.type("desktop change org.example.Map location\n")
      try lines.expect("location: CITY 7, was EXACT 7. The word undo takes it back.")
      #expect(try await desktop.row("org.example.Map", table: "location", id: "location") == "CITY 7")
      lines.type("undo\n")
      try lines.expect("Undone: org.example.Map, location: EXACT 7, was CITY 7.")
      #expect(try await desktop.row("org.example.Map", table: "location", id: "location") == "EXACT 7")
      lines.type("quit\n")
      try lines.waitForEnd()
    }
  }

  private func journal(_ desktop: TestDesktop) throws -> [String] {
    try desktop.store.journal(JournalFilter(kinds: [.desktop]), .newer(than: 0, 9)).compactMap(\.text)
  }

  /// The greater number of rows. A debug build takes long for 10 000, which `make check-long` has.
  private static let many =
    ProcessInfo.processInfo.environment["PERMTUI_DESKTOP_ROWS"].flatMap(Int.init) ?? 1_000

  @Test(
    "A change of somebody else's is on the screen before a person would notice", arguments: [100, many])
  func delay(_ count: Int) async throws {
    try await TestDesktop.run { desktop in
      // The desktop's service signals all apps of a thing with each change, so there are few of each.
      _ = try await desktop.storeProgram("fill", "devices", "camera", "100", "\(count / 100)")
      let screen = try dashboard(desktop)
      try screen.expect("org.example.App0")
      for round in 0..<5 {
        let value = round.isMultiple(of: 2) ? "no" : "ask"
        let written = try await desktop.storeProgram("set", "devices", "camera", "org.example.App0", value)
        try screen.expect("desktop: devices/camera \(value)")
        let moment = SystemClock.monotonic.nanoseconds
        print(
          "\(count) rows, with the end of the writing program: \((moment - (Int64(written) ?? 0)) / 1000) µs")
      }
    }
  }

  @Test("The export has the rows, and the import passes over them")
  func exported() async throws {
    try await TestDesktop.run { desktop in
      _ = try await desktop.storeProgram("set", "devices", "camera", "org.example.Cam", "no")
      let permtui = BuiltProgram.path(of: "permtui")
      let file = desktop.folder.file("export")
      let export = try await ProcessRun.run(permtui, ["export", file], environment: desktop.environment)
      #expect(export.messages.contains("0 decisions and 1 row of the desktop"))
      #expect(
        try String(contentsOfFile: file, encoding: .utf8).hasSuffix(
          #"{"desktop":{"app":"org.example.Cam","id":"camera","permissions":["no"],"table":"devices"}}"#
            + "\n"))
      let run = try await ProcessRun.run(permtui, ["import", file], environment: desktop.environment)
      #expect(run.ending == .exited(0))
      #expect(run.messages.contains("1 row of the desktop left out"))
    }
  }
}
