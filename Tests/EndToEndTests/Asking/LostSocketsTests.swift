import Foundation
import TerminalTesting
import Testing

/// The last log-out of a user removes the runtime folder, with the sockets of what lives on in a terminal multiplexer.
@Suite("When the sockets are removed", .timeLimit(.minutes(5)))
struct LostSocketsTests {
  private let home: AskingHome

  init() throws {
    home = try AskingHome()
    // The program that asks must not be the one that answers, so it is a program of its own.
    try home.write("#!/bin/bash\npermtui request photos --as \"$1\" --wait 60\nexit $?\n", to: "ask.sh")
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: home.folder.file(name))
  }

  private func makeRuntimeFolder() throws {
    try FileManager.default.createDirectory(
      atPath: home.folder.file("run"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
  }

  @Test("a dashboard says that it does not listen until their folder is there again, and then does")
  func runtimeFolder() async throws {
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("listening")
    try remove("run")
    try dashboard.expect("not listening")
    try makeRuntimeFolder()
    try dashboard.expectGone("not listening")
    async let asking = home.run(["ask.sh", "backup"])
    try dashboard.expectArmed("backup asks to")
    dashboard.type("d")
    #expect(try await asking.output == "denied\n")
  }

  @Test(
    "they are bound again at once, and a program that waits goes on",
    arguments: ["run/permtui", "run/permtui/ask"])
  func sockets(name: String) async throws {
    let broker = try home.broker()
    async let waiting = home.run(["ask.sh", "waiting"])
    _ = try await home.waitingIDs(1)
    try remove(name)
    try broker.expect("listening again")
    async let asking = home.run(["ask.sh", "later"])
    for one in try await home.pending(2) {
      #expect(try await home.answer(one.id, "deny").ending == .exited(0))
    }
    #expect(try await [waiting.output, asking.output] == ["denied\n", "denied\n"])
  }
}
