import Foundation
import TerminalTesting
import Testing

@Suite("A broker that is stopped", .timeLimit(.minutes(5)))
struct StoppedBrokerTests {
  private let home: AskingHome

  init() throws {
    home = try AskingHome()
    // The program that asks must not be the one that answers, so it is a program of its own.
    try home.write("#!/bin/bash\npermtui request photos --as thumbs --queue \"$@\"\nexit $?\n", to: "ask.sh")
  }

  /// Starts a broker in whose store one decision is, and stops it.
  private func stoppedBroker() async throws -> TerminalSession {
    let broker = try home.broker()
    let allowed = try await home.permtui("allow", "backup", "photos")
    #expect(allowed.ending == .exited(0), "\(allowed.messages)")
    kill(broker.process, SIGSTOP)
    return broker
  }

  @Test(
    "does not keep from reading the store, and is named where it would have been asked",
    arguments: [
      (["log"], true), (["pending"], true), (["undo", "--dry-run"], true), (["status", "photos"], false),
      (["programs"], false), (["why", "backup", "photos"], false), (["export"], false),
    ])
  func reading(command: [String], isBrokersOtherwise: Bool) async throws {
    let broker = try await stoppedBroker()
    let run = try await home.run([BuiltProgram.path] + command)
    #expect(run.ending == .exited(command == ["pending"] ? 1 : 0), "\(run.output) \(run.messages)")
    if command != ["pending"] { #expect(run.output.contains("photos"), "\(run.output)") }
    let said =
      "the broker is stopped; kill -CONT \(broker.process) lets it go on; this is what the store says"
    #expect(run.messages.contains(said) == isBrokersOtherwise, "\(run.messages)")
  }

  @Test("is a problem for the doctor, who says what lets it go on")
  func doctor() async throws {
    let broker = try await stoppedBroker()
    let run = try await home.permtui("doctor")
    #expect(run.output.contains("kill -CONT \(broker.process)"), "\(run.output)")
    #expect(run.ending != .exited(0))
  }

  @Test("is named by a command that changes something, which goes on when it does")
  func changing() async throws {
    let broker = try await stoppedBroker()
    let change = try home.terminal(BuiltProgram.path, "deny", "backup", "camera")
    try change.expect("kill -CONT \(broker.process)")
    kill(broker.process, SIGCONT)
    #expect(try change.waitForEnd() == .exit(code: 0))
    #expect(try await home.permtui("status", "camera").output.contains("denied"))
  }

  @Test("is named by a program that asks, which goes on when it does")
  func asking() async throws {
    let broker = try await stoppedBroker()
    let request = try home.terminal("ask.sh")
    try request.expect("kill -CONT \(broker.process)")
    kill(broker.process, SIGCONT)
    let id = try #require(try await home.waitingIDs(1).first)
    #expect(try await home.answer(id, "deny").ending == .exited(0))
    try request.expect("denied")
    #expect(try request.waitForEnd() == .exit(code: 1))
  }

  @Test(
    "does not keep a program waiting for much longer than it wants to",
    arguments: [true, false])
  func givingUp(wasStoppedBefore: Bool) async throws {
    let broker = wasStoppedBefore ? try await stoppedBroker() : try home.broker()
    let request = try home.terminal("ask.sh", "--wait", "2")
    if !wasStoppedBefore {
      _ = try await home.waitingIDs(1)
      kill(broker.process, SIGSTOP)
    }
    try request.expect("nobody answered in time")
    #expect(try request.waitForEnd() == .exit(code: 3))
  }
}
