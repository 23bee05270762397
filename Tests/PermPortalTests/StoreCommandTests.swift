import Foundation
import PermModel
import ProgramVersion
import TerminalTesting
import Testing
import Waiting

@testable import PermPortal

@Suite(
  "The desktop's permission store", .serialized, .timeLimit(.minutes(5)), .needs("dbus-daemon"),
  .needs(file: "/usr/libexec/xdg-permission-store"), .needs(file: "/usr/lib/python3/dist-packages/dbus"))
struct StoreCommandTests {
  private func store(_ desktop: TestDesktop, _ words: String...) async throws -> ProcessRun {
    try await ProcessRun.run(
      BuiltProgram.path(of: "permtui-portal"), ["store"] + words, environment: desktop.environment)
  }

  @Test("Rows are set, listed and removed")
  func rows() async throws {
    try await TestDesktop.run { desktop in
      #expect(
        try await store(desktop, "set", "devices", "camera", "org.example.Cam", "yes").ending == .exited(0))
      #expect(
        try await store(desktop, "set", "location", "location", "org.example.Map", "CITY", "0").ending
          == .exited(0))
      // The desktop's service writes its files a moment later.
      try await until { try await store(desktop, "list").output.split(separator: "\n").count == 2 }
      #expect(
        try await store(desktop, "list", "--json").output.split(separator: "\n") == [
          #"{"app":"org.example.Cam","id":"camera","permissions":["yes"],"table":"devices"}"#,
          #"{"app":"org.example.Map","id":"location","permissions":["CITY","0"],"table":"location"}"#,
        ])
      #expect(try await store(desktop, "delete", "devices", "camera", "org.example.Cam").ending == .exited(0))
      #expect(try await desktop.row("org.example.Cam") == "")
    }
  }

  @Test("Changes are followed, and a signal that is not from the desktop's service is none")
  func followed() async throws {
    try await TestDesktop.run { desktop in
      _ = try await desktop.storeProgram("set", "devices", "camera", "org.example.Cam", "yes")
      // The desktop's service writes its files a moment later.
      try await until { try await !store(desktop, "list").output.isEmpty }
      let listing = desktop.folder.file("listing")
      let watcher = TestDesktop.start(
        [
          "sh", "-c", #"exec "$0" store list --json --watch >"$1""#, BuiltProgram.path(of: "permtui-portal"),
          listing,
        ], desktop.environment)
      try await until { lines(listing).count == 1 }
      _ = try await desktop.storeProgram("lie", "devices", "camera", "org.example.Lie", "yes")
      _ = try await desktop.storeProgram("set", "devices", "camera", "org.example.Map", "no")
      try await until { lines(listing).count == 2 }
      #expect(try await store(desktop, "delete", "devices", "camera", "org.example.Cam").ending == .exited(0))
      try await until { lines(listing).count == 3 }
      #expect(
        lines(listing) == [
          #"{"app":"org.example.Cam","id":"camera","permissions":["yes"],"table":"devices"}"#,
          #"{"app":"org.example.Map","id":"camera","permissions":["no"],"table":"devices"}"#,
          #"{"app":"org.example.Cam","id":"camera","table":"devices"}"#,
        ])
      withExtendedLifetime(watcher) {}
    }
  }

  private func lines(_ file: String) -> [Substring] {
    ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").split(separator: "\n")
  }

  @Test(
    "A table that leads out of the folder is refused", arguments: ["../../x", "a b", "", "A", "documents"])
  func tables(_ table: String) async throws {
    try await TestDesktop.run { desktop in
      let run = try await store(desktop, "set", table, "x", "org.example.Cam", "yes")
      #expect(run.ending == .exited(64))
      #expect(run.messages.contains("table"))
      #expect(!FileManager.default.fileExists(atPath: desktop.folder.file("data/x")))
    }
  }

  @Test("The program says its version and its commands")
  func words() async throws {
    let program = BuiltProgram.path(of: "permtui-portal")
    let version = try await ProcessRun.run(program, ["--version"], environment: [:])
    #expect(version.output.hasPrefix(Version.current))
    #expect(version.ending == .exited(0))
    let help = try await ProcessRun.run(program, ["--help"], environment: [:])
    #expect(help.output.contains("store"))
    #expect(help.ending == .exited(0))
  }

  @Test("Without a bus, the message says so")
  func noBus() async throws {
    let run = try await ProcessRun.run(
      BuiltProgram.path(of: "permtui-portal"), ["store", "list"],
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "HOME": "/nonexistent"])
    #expect(run.ending == .exited(1))
    #expect(run.messages.contains("there is no session bus"))
  }
}
