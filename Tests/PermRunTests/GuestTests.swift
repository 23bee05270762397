import Foundation
import TerminalTesting
import Testing
import Waiting

@Suite("Programs behind walls that ask by themselves", .needsWalls, .timeLimit(.minutes(5)))
struct GuestTests {
  /// Runs a line of a shell behind walls, in which `permtui` is the real program.
  private func start(_ ground: Ground, _ line: String) throws -> Running {
    let function = "permtui() { \(ground.user.program("permtui")) \"$@\"; }\n"
    return try ground.startRun([], "sh", "-c", function + line)
  }

  private func name(of program: String) -> String {
    URL(filePath: program).resolvingSymlinksInPath().lastPathComponent
  }

  @Test("A request inside waits in the usual queue, in the name of the run, and gets its answer")
  func request() async throws {
    let ground = try await Ground(isAllowed: false)
    let running = try start(ground, "permtui request network:connect@example.org:443 --as other && echo yes")
    let pending = try await ground.untilPending("network:connect@example.org:443")
    #expect(pending.program.label == name(of: "/bin/sh"))
    try await ground.answer(pending, "allow")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output.hasSuffix("yes\n"))
  }

  @Test("An agent's hook inside is told that a command is allowed, and a denied one is still denied")
  func hook() async throws {
    let ground = try await Ground(isAllowed: false)
    func message(_ line: String) -> String {
      #"{"session_id": "57fa2c0e-4f0c-4b7e-9a43-6a1d1f0c2b11", "cwd": "\#(ground.work)", "#
        + #""hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {"command": "\#(line)"}}"#
    }
    func hook(_ line: String) async throws -> String {
      let running = try start(
        ground, "printf '%s' '\(message(line))' | permtui hook --sockets \"$PERMTUI_SOCKETS\"")
      #expect(try await running.end() == 0, "\(running.messages)")
      return running.output
    }
    let allowed = try await hook("make all")
    #expect(allowed.contains(#""behavior":"allow""#), "\(allowed)")
    #expect(try await ground.permtui("log").output.contains("behind walls"))
    _ = try await ground.permtui("deny", "everyone", "commands:run@make …")
    let denied = try await hook("make all")
    #expect(denied.contains(#""behavior":"deny""#), "\(denied)")
  }

  @Test("No program inside can answer, decide or look at waiting requests")
  func control() async throws {
    let ground = try await Ground(isAllowed: false)
    let running = try start(
      ground,
      "permtui allow sh camera; permtui pending; permtui answer --all allow; ls \"$PERMTUI_SOCKETS\"; echo end"
    )
    #expect(try await running.end() == 0)
    #expect(running.output == "end\n", "\(running.output)")
    #expect(try await ground.permtui("programs", "--json").output.contains(#""programs":[]"#))
  }

  @Test("A child that uses the connection of its parent asks in the name of the run")
  func passedOn() async throws {
    let ground = try await Ground(isAllowed: false)
    let code = """
      import json, os, socket
      s = socket.socket(socket.AF_UNIX)
      s.connect(os.environ["PERMTUI_SOCKETS"] + "/ask")
      if os.fork() == 0:
          os.setsid()
          value = {"part": "connect", "scope": {"host": "example.org", "port": 443}}
          call = {"method": "io.permtui.Broker.Request", "parameters": {"capability": "network", "values": [value]}}
          s.sendall(json.dumps(call).encode() + b"\\0")
          print(json.loads(s.recv(65536).rstrip(b"\\0"))["parameters"]["state"], flush=True)
      else: os.wait()
      """
    let running = try ground.startRun([], "python3", "-I", "-c", code)
    let pending = try await ground.untilPending("network:connect@example.org:443")
    #expect(pending.program.label == name(of: "/usr/bin/python3"))
    try await ground.answer(pending, "deny")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "denied\n")
  }
}
