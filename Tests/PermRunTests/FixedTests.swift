import Foundation
import TerminalTesting
import Testing
import Waiting

@Suite("Runs in which nobody is asked", .needsWalls, .timeLimit(.minutes(5)))
struct FixedTests {
  private func ground() async throws -> Ground {
    let ground = try await Ground(isAllowed: false)
    try ground.write("contents", to: "file")
    return ground
  }

  private func read(_ ground: Ground, _ name: String = "file") -> String {
    "files:read@\(ground.file(name))"
  }

  @Test("A file without a decision is denied at once, and listed at the end")
  func denied() async throws {
    let ground = try await ground()
    let run = try await ground.endedRun(["--fixed"], "sh", "-c", "cat file; cat file; echo x > new; echo end")
    #expect(run.ending == .exited(0))
    #expect(run.output == "end\n")
    let list = """
      permtui-run: denied, because nobody had allowed it before the start:
      permtui-run:   \(read(ground))
      permtui-run:   files:write@\(ground.file("new"))

      """
    #expect(run.messages.hasSuffix(list), "\(run.messages)")
    #expect(!FileManager.default.fileExists(atPath: ground.file("new")))
    #expect(try await ground.pending().isEmpty)
  }

  @Test("A file allowed before the start can be used, and so can its companions")
  func allowed() async throws {
    let ground = try await ground()
    _ = try await ground.permtui("allow", "cat", read(ground))
    let read = try await ground.endedRun(["--fixed"], "cat", "file")
    #expect(read.output == "contents", "\(read.messages)")
    #expect(read.messages == "")
    try await ground.decide("allow", "files:write@\(ground.file("file"))")
    let run = try await ground.insideItself(
      ["--fixed"], "sh", "-c", "echo new > file.tmp; mv file.tmp file; cat file")
    #expect(run.output == "new\n", "\(run.messages)")
    #expect(run.messages == "")
  }

  @Test("The folder of --here can be written, but for its protected names")
  func here() async throws {
    let ground = try await ground()
    let run = try await ground.endedRun(
      ["--here", "--fixed"], "sh", "-c",
      "echo x > a; cat a; mkdir .git; echo x > .git/config; echo x > .envrc")
    #expect(run.output == "x\n", "\(run.messages)")
    for name in [".git", ".envrc"] {
      #expect(run.messages.contains("  files:write@\(ground.file(name))\n"), "\(run.messages)")
      #expect(!FileManager.default.fileExists(atPath: ground.file(name)))
    }
  }

  @Test("An allow that comes after the start does not count, and a denial does")
  func later() async throws {
    let ground = try await ground()
    try ground.write("known", to: "known")
    try await ground.decide("allow", read(ground, "known"))
    let running = try ground.startInside(
      options: ["--fixed"],
      shell: """
        cat known; exec 3< known; echo ready; until [ -e go ]; do sleep 0.01; done
        cat file || echo no file; cat known || echo nor this; cat <&3 || echo taken back
        """)
    try await running.printed("ready")
    try await ground.decide("allow", read(ground))
    try await ground.decide("allow", "files:read@\(ground.work)/")
    try await ground.decide("deny", read(ground, "known"))
    try await running.said("taken back from 1 open file")
    _ = try await ground.outside("touch", "go")
    #expect(try await running.end() == 0)
    #expect(running.output == "knownready\nno file\nnor this\ntaken back\n", "\(running.messages)")
  }

  @Test("Hosts and sockets of this machine are denied at once")
  func network() async throws {
    let ground = try await ground()
    let host = try HostSockets()
    let code = """
      import socket, sys
      def attempt(family, address):
          try: socket.socket(family).connect(address); print("reached", address)
          except PermissionError: print("denied")
      attempt(socket.AF_INET, ("127.0.0.1", int(sys.argv[1])))
      attempt(socket.AF_INET, ("203.0.113.7", 443))
      attempt(socket.AF_UNIX, sys.argv[2])
      """
    let run = try await ground.endedRun(
      ["--fixed"], "python3", "-I", "-c", code, "\(host.port)", host.path)
    #expect(run.output == "denied\ndenied\ndenied\n", "\(run.messages)")
    #expect(host.connections == 0)
    for use in ["network:connect@localhost:\(host.port)", "network:connect@203.0.113.7:443"] {
      #expect(run.messages.contains("  \(use)\n"), "\(run.messages)")
    }
    #expect(run.messages.contains("  files:write@\(host.path)\n"))
  }

  @Test("A program that asks by itself finds nobody to ask")
  func guests() async throws {
    let ground = try await ground()
    let line = """
      echo "${PERMTUI_SOCKETS-none}"; \(ground.user.program("permtui")) request camera && echo allowed; echo end
      """
    let run = try await ground.endedRun(["--fixed"], "sh", "-c", line)
    #expect(run.output == "none\nend\n", "\(run.messages)")
    #expect(try await ground.pending().isEmpty)
  }

  @Test("Of many denials, the first are listed and the others counted")
  func many() async throws {
    let ground = try await ground()
    for number in 0..<50 { try ground.write("x", to: "f\(number)") }
    let run = try await ground.endedRun(
      ["--fixed"], "sh", "-c", "for n in $(seq 0 49); do cat f$n; done 2> /dev/null; exit 3")
    #expect(run.ending == .exited(3))
    #expect(run.messages.split(separator: "\n").count == 22, "\(run.messages)")
    #expect(run.messages.hasSuffix("permtui-run:   and 30 more\n"), "\(run.messages)")
  }

  @Test("The files that a known program reads at its start are no question either")
  func startSet() async throws {
    let ground = try await ground()
    try ground.write("[user]\n\tname = x\n", to: ".gitconfig")
    let run = try await ground.run([
      "env", "HOME=\(ground.work)", ground.user.program("permtui-run"), "--fuse", ground.user.fuse, "--store",
      ground.store, "--fixed", "--", "git", "config", "--global", "user.name",
    ])
    #expect(run.output == "")
    #expect(try await ground.pending().isEmpty)
  }

  @Test("A panic can end such a run, too")
  func panic() async throws {
    let ground = try await ground()
    let running = try ground.startRun(["--fixed"], "sh", "-c", "trap '' TERM; echo started; sleep 4716.25")
    try await running.printed("started")
    #expect(try await ground.permtui("panic", "--end").output == "panic: 1 program behind walls ended\n")
    #expect(try await running.end() == 137)
  }
}
