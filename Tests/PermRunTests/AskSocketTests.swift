import Foundation
import TerminalTesting
import Testing
import Waiting

@Suite("The socket for programs behind walls", .needsWalls, .timeLimit(.minutes(5)))
struct AskSocketTests {
  private func allowProgram(of ground: Ground) async throws {
    _ = try await ground.permtui("allow", "sh", "files:read@\(ground.user.home)/")
  }

  @Test("A request and a status inside are answered, and asked for the program of the run")
  func request() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("x", to: "file")
    try await allowProgram(of: ground)
    let permtui = ground.user.program("permtui")
    let line = """
      \(permtui) request files:read@./file --as other; \(permtui) request files:write@./file --as other
      \(permtui) status files:write@./file; echo $?
      """
    let running = try ground.startRun(["--as", "sh"], "sh", "-c", line)
    let pending = try await ground.untilPending("files:write@\(ground.file("file"))")
    #expect(pending.program.label == "sh")
    try await ground.answer(pending, "deny", "--for", "8h")
    #expect(try await running.end() == 0)
    #expect(running.output.contains("allowed"))
    #expect(running.output.contains("file  denied"))
  }

  @Test("Neither the control socket nor the files of the store are there, and nothing is decided inside")
  func nothingElse() async throws {
    let ground = try await Ground(isAllowed: false)
    try await allowProgram(of: ground)
    let permtui = ground.user.program("permtui")
    let run = try await ground.endedRun(
      ["--as", "sh"], "sh", "-c",
      "\(permtui) allow sh files:write@/; echo $?; \(permtui) pending; echo $?; ls $PERMTUI_SOCKETS; echo $?")
    #expect(run.output == "2\n2\n2\n")
  }

  @Test("A program can open 64 connections and no more, and the next is possible when one has ended")
  func flood() async throws {
    let ground = try await Ground(isAllowed: false)
    let code = """
      import os, socket
      def connect():
          s = socket.socket(socket.AF_UNIX)
          s.connect(os.environ["PERMTUI_SOCKETS"] + "/ask")
          return s
      held = []
      try:
          while len(held) < 100: held.append(connect())
      except OSError as error:
          print(len(held), error.errno == 11, flush=True)
      held.pop().close()
      for _ in range(1000):
          try:
              connect(); print("again"); break
          except OSError: pass
      """
    let run = try await ground.endedRun([], "python3", "-I", "-c", code)
    #expect(run.output == "64 True\nagain\n", "\(run.messages)")
  }

  @Test("A message that is too long ends the connection, and nothing else")
  func tooLong() async throws {
    let ground = try await Ground(isAllowed: false)
    let code = """
      import os, socket
      s = socket.socket(socket.AF_UNIX)
      s.connect(os.environ["PERMTUI_SOCKETS"] + "/ask")
      try: s.sendall(b"x" * (64 * 1024 + 1))
      except OSError: pass
      print("TooMuch" in (text := s.recv(4096).decode()) or "Invalid" in text, s.recv(1) == b"")
      """
    let run = try await ground.endedRun([], "python3", "-I", "-c", code)
    #expect(run.output == "True True\n", "\(run.messages)")
  }

  @Test("^C interrupts a program that waits for the answer about a host, and withdraws the question")
  func interrupted() async throws {
    let ground = try await Ground(isAllowed: false)
    let code = """
      import socket
      try:
          socket.socket().connect(("198.51.100.7", 80))
      except KeyboardInterrupt:
          print("interrupted")
      """
    let running = try ground.startRun([], "python3", "-I", "-c", code)
    _ = try await ground.untilPending("network:connect@198.51.100.7:80")
    for process in programs(with: "198.51.100.7") { kill(process, SIGINT) }
    #expect(try await running.end() == 0)
    #expect(running.output == "interrupted\n")
    try await ground.untilNothingWaits()
  }

  /// The processes that run Python with this in their code.
  private func programs(with text: String) -> [pid_t] {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.compactMap { pid_t($0) }.filter { process in
      let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
      return line?.hasPrefix("python3\0") == true && line?.contains(text) == true
    }
  }

  @Test("The rest of a run can be denied with one answer")
  func rest() async throws {
    let ground = try await Ground(isAllowed: false)
    for name in ["a", "b", "c"] { try ground.write(name, to: name) }
    let running = try ground.startRun([], "sh", "-c", "cat a; cat b; cat c; echo end")
    try await ground.answer(try await ground.untilPending("files:read@\(ground.file("a"))"), "deny", "--rest")
    #expect(try await running.end() == 0)
    #expect(running.output == "end\n")
    #expect(running.messages.contains("everything that is not decided is denied"))
  }
}
