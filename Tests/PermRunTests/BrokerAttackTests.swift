import Foundation
import TerminalTesting
import Testing
import Waiting

@Suite("Attacks on the questions of runs", .needsWalls, .timeLimit(.minutes(5)))
struct BrokerAttackTests {
  /// Calls a method at the socket `control` of a broker, and prints the reply.
  private static let call = """
    import json, socket, sys
    s = socket.socket(socket.AF_UNIX)
    s.connect(sys.argv[1])
    s.sendall(json.dumps({"method": "io.permtui.Broker." + sys.argv[2], "more": True,
                          "parameters": json.loads(sys.argv[3])}).encode() + b"\\0")
    print(s.recv(65536).rstrip(b"\\0").decode())
    """

  private func control(_ ground: Ground) throws -> String {
    let folder = (ground.store as NSString).deletingLastPathComponent
    let entries = try FileManager.default.contentsOfDirectory(atPath: folder)
    let run = try #require(entries.first { $0.hasPrefix("run-") })
    return "\(folder)/\(run)/control"
  }

  @Test("Another process of the same user can neither supervise, nor ask, nor withdraw for a run")
  func otherProcess() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("x", to: "file")
    let running = try ground.startRun([], "cat", "file")
    let pending = try await ground.untilPending("files:read@\(ground.file("file"))")
    let socket = try control(ground)
    func call(_ method: String, _ parameters: String) async throws -> String {
      try await ground.outside("python3", "-I", "-c", Self.call, socket, method, parameters).output
    }
    let run = "0123456789abcdef0123456789abcdef"
    let supervise = try await call(
      "Supervise",
      """
      {"run": "\(run)", "pid": 1, "started": 0, "program": "/bin/cat", "arguments": ["cat"], "folder": "/"}
      """)
    #expect(supervise.contains("MayNotChange"), "\(supervise)")
    let ask = try await call(
      "Ask",
      """
      {"run": "\(run)", "id": "\(run)", "capability": "files",
       "values": [{"part": "read", "scope": {"path": "/etc/shadow"}}], "name": "cat", "pid": 1, "started": 0}
      """)
    #expect(ask.contains("MayNotChange"), "\(ask)")
    let unask = try await call("Unask", #"{"run": "\#(run)", "id": "\#(pending.id)"}"#)
    #expect(unask.contains("MayNotChange"), "\(unask)")
    let enter = try await call(
      "Enter",
      #"{"run": "\#(run)", "socket": 1, "name": "cat", "pid": 1, "started": 0, "folder": "/"}"#)
    #expect(enter.contains("MayNotChange"), "\(enter)")
    #expect(try await ground.pending().map(\.id) == [pending.id])
    try await ground.answer(pending, "deny")
    _ = try await running.end()
  }

  @Test("The broker's sockets and the store do not exist inside")
  func hidden() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("x", to: "file")
    let first = try ground.startRun([], "cat", "file")
    let pending = try await ground.untilPending("files:read@\(ground.file("file"))")
    let paths = [ground.store, try control(ground)]
    #expect(paths.allSatisfy { FileManager.default.fileExists(atPath: $0) })
    let code = """
      import os, socket, sys
      print([os.path.lexists(path) for path in sys.argv[1:]])
      try: socket.socket(socket.AF_UNIX).connect(sys.argv[2]); print("connected")
      except OSError: print("held")
      """
    let run = try await ground.endedRun([], "python3", "-I", "-c", code, paths[0], paths[1])
    #expect(run.output == "[False, False]\nheld\n", "\(run.output) \(run.messages)")
    try await ground.answer(pending, "deny")
    _ = try await first.end()
  }

  @Test("A process can choose a name, which is shown with its escapes and never obeyed")
  func name() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("x", to: "file")
    let code = """
      import ctypes
      ctypes.CDLL(None).prctl(15, b"\\x1b[2Jroot", 0, 0, 0)
      open("file").read()
      """
    let running = try ground.startRun([], "python3", "-I", "-c", code)
    let pending = try await ground.untilPending("files:read@\(ground.file("file"))")
    try await running.said("\\u{1b}[2Jroot asks")
    try await ground.answer(pending, "deny")
    _ = try await running.end()
    #expect(!running.messages.utf8.contains(0x1b))
  }
}
