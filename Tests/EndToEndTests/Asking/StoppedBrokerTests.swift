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
    "does not keep a program waiting for longer than it wants to, and is named then",
    arguments: [true, false])
  func givingUp(wasStoppedBefore: Bool) async throws {
    let broker = wasStoppedBefore ? try await stoppedBroker() : try home.broker()
    let start = ContinuousClock.now
    let request = try home.terminal("ask.sh", "--wait", "2")
    if !wasStoppedBefore {
      _ = try await home.waitingIDs(1)
      kill(broker.process, SIGSTOP)
    }
    try request.expect("the broker is stopped; kill -CONT \(broker.process) lets it go on")
    try request.expect("nobody answered in time")
    #expect(try request.waitForEnd() == .exit(code: 3))
    #expect(ContinuousClock.now - start < .seconds(10), "it waits for a broker that cannot reply")
  }

  @Test("lets an agent ask by itself, also if it was stopped while its question waited")
  func hook() async throws {
    // It says that the question waits at a dashboard, and stops then.
    let broker = """
      import os, signal, socket, sys
      server = socket.socket(socket.AF_UNIX)
      os.makedirs(sys.argv[1], mode=0o700)
      server.bind(sys.argv[1] + "/ask")
      os.chmod(sys.argv[1] + "/ask", 0o600)
      server.listen(8)
      print("listening", flush=True)
      connection = server.accept()[0]
      connection.recv(65536)
      connection.sendall(b'{"parameters":{"id":"x","state":"waiting","presenters":1},"continues":true}\\0')
      os.kill(os.getpid(), signal.SIGSTOP)
      """
    let session = try home.terminal(["python3", "-c", broker, home.sockets])
    try session.expect("listening")
    let message = try home.write(
      #"{"session_id":"s","turn_id":"t","cwd":"/","hook_event_name":"PermissionRequest","tool_name":"Bash","#
        + #""tool_input":{"command":"make"}}"#, to: "message.json")
    let start = ContinuousClock.now
    let run = try await home.run([
      "sh", "-c", "\(BuiltProgram.path) hook --sockets \(home.sockets) < \(message)",
    ])
    #expect(run.ending == .exited(0) && run.output.isEmpty, "\(run.output) \(run.messages)")
    #expect(ContinuousClock.now - start < .seconds(60), "it waits for a broker that cannot reply")
    withExtendedLifetime(session) {}
  }
}
