import Foundation
import TerminalTesting
import Testing
import Waiting

/// Deno and coding agents behind walls, as PyPI has them.
@Suite("Deno and agents behind walls", .needsWalls, .timeLimit(.minutes(10)))
struct DenoTests {
  /// Deno, where an ordinary user can run it and nobody has to be asked about its file; `nil` if it cannot be fetched.
  private static let deno = Task { () -> String? in
    var root = URL(filePath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let run = try await ProcessRun.run(
      "/bin/bash", [root.appending(path: "scripts/deno").path],
      environment: ProcessInfo.processInfo.environment, limit: .seconds(300))
    guard run.ending == .exited(0) else {
      print("Skipped, as Deno is not here: \(run.messages)")
      #expect(ProcessInfo.processInfo.environment["CI"] == nil, "\(run.messages)")
      return nil
    }
    let path = try OrdinaryUser.shared.get().program("deno")
    try FileManager.default.copyItem(
      atPath: run.output.trimmingCharacters(in: .whitespacesAndNewlines), toPath: path)
    return path
  }

  /// Starts a script in a project where it may write. Its cache is in the folder of the run's own.
  private func start(_ ground: Ground, _ deno: String, _ options: [String] = [], _ words: String...) throws
    -> Running
  {
    let walls = [
      ground.user.program("permtui-run"), "--fuse", ground.user.fuse, "--store", ground.store, "--here",
    ]
    return try ground.start(
      ["env", "DENO_DIR=/tmp/deno", "DENO_NO_UPDATE_CHECK=1", "NO_COLOR=1"] + walls + options
        + ["--env", "DENO_DIR", "--env", "DENO_NO_UPDATE_CHECK", "--", deno, "run", "--quiet"] + words)
  }

  private func ground() async throws -> Ground {
    let ground = try await Ground(isAllowed: false)
    try ground.write("a note", to: "../notes.txt")
    try ground.write(
      """
      const notes = await Deno.readTextFile("../notes.txt");
      const connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(Deno.args[0]) });
      await connection.write(new TextEncoder().encode(notes));
      const bytes = new Uint8Array(100);
      const count = await connection.read(bytes);
      console.log(new TextDecoder().decode(bytes.subarray(0, count ?? 0)));
      try { await Deno.readTextFile("../others.txt"); } catch (error) { console.log(error.name); }
      """, to: "main.ts")
    return ground
  }

  private func notes(_ ground: Ground, _ name: String = "notes.txt") -> String {
    let folder = URL(filePath: ground.work).deletingLastPathComponent().path
    return "files:read@\(folder)/\(name)"
  }

  @Test(
    "With -A, the walls ask for what a script does, in the script's name, and Deno asks for nothing itself")
  func script() async throws {
    guard let deno = try await Self.deno.value else { return }
    let (ground, host) = (try await ground(), try HostSockets())
    try ground.write("others", to: "../others.txt")
    let running = try start(ground, deno, [], "-A", "main.ts", "\(host.port)")
    let file = try await ground.untilPending(notes(ground))
    #expect(file.program.label == "main.ts")
    try await ground.answer(file, "allow")
    let connection = try await ground.untilPending("network:connect@localhost:\(host.port)")
    #expect(connection.program.label == "main.ts")
    try await ground.answer(connection, "allow")
    try await ground.answer(try await ground.untilPending(notes(ground, "others.txt")), "deny")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "a note\nPermissionDenied\n", "\(running.messages)")
  }

  @Test(
    "An answer kept for Deno outside holds inside, and a denial is a lock whatever Deno's flags say")
  func fixed() async throws {
    guard let deno = try await Self.deno.value else { return }
    let (ground, host) = (try await ground(), try HostSockets())
    _ = try await ground.permtui("allow", "main.ts", notes(ground), "network:connect@localhost:\(host.port)")
    let running = try start(ground, deno, ["--fixed"], "-A", "main.ts", "\(host.port)")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "a note\nNotFound\n", "\(running.messages)")
    _ = try await ground.permtui("deny", "main.ts", notes(ground))
    let denied = try start(ground, deno, ["--fixed"], "-A", "main.ts", "\(host.port)")
    #expect(try await denied.end() == 1)
    #expect(denied.messages.contains("PermissionDenied"), "\(denied.messages)")
  }

  @Test(
    "Deno's own permissions hold inside, too, and without a terminal it denies what its flags do not allow")
  func ownPermissions() async throws {
    guard let deno = try await Self.deno.value else { return }
    let ground = try await ground()
    let running = try start(ground, deno, ["--fixed"], "main.ts", "1")
    #expect(try await running.end() == 1)
    #expect(running.messages.contains("--allow-read"), "\(running.messages)")
    #expect(!running.messages.contains("denied, because"), "\(running.messages)")
  }

  @Test(
    "A first fetch asks for the host alone, because the cache is the run's own; the next run reads what was there",
    arguments: [false, true])
  func firstFetch(hasCache: Bool) async throws {
    guard let deno = try await Self.deno.value else { return }
    let ground = try await Ground(isAllowed: false)
    _ = try await ground.outside("mkdir", "-p", hasCache ? "../home/.cache/deno/deps" : "../home/.cache")
    let home = URL(filePath: ground.work).deletingLastPathComponent().path + "/home"
    try ground.write("export const greeting = 'fetched';", to: "greeting.js")
    let server = try ground.startOutside("python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "0")
    try await server.printed(" port ")
    let words = server.output.split(separator: " ")
    let port = try #require(words.firstIndex(of: "port").map { String(words[$0 + 1]) })
    try ground.write(
      "import { greeting } from 'http://localhost:\(port)/greeting.js'; console.log(greeting);", to: "main.ts"
    )
    let running = try ground.start(
      [
        "env", "HOME=\(home)", ground.user.program("permtui-run"), "--fuse", ground.user.fuse,
        "--store", ground.store, "--here", "--", deno, "run", "-A", "--quiet", "main.ts",
      ])
    let asked = try await ground.answerAll(until: running)
    #expect(running.output == "fetched\n", "\(running.messages)")
    #expect(asked.count <= 2 && asked.contains("network:connect@localhost:\(port)"), "\(asked)")
    #expect(
      try await ground.outside("find", "../home/.cache", "-type", "f").output == "", "\(running.messages)")
  }

  @Test("Deno's broker is not passed on, and who names it is told why")
  func broker() async throws {
    guard let deno = try await Self.deno.value else { return }
    let ground = try await ground()
    try ground.write("console.log(Deno.env.get('DENO_PERMISSION_BROKER_PATH') ?? 'none');", to: "variable.ts")
    let walls = [ground.user.program("permtui-run"), "--fuse", ground.user.fuse, "--store", ground.store]
    let variable = ["env", "DENO_PERMISSION_BROKER_PATH=/run/permtui/deno", "DENO_DIR=/tmp/deno"]
    let program = [
      "--here", "--fixed", "--env", "DENO_DIR", "--", deno, "run", "-A", "--quiet", "variable.ts",
    ]
    let run = try await ground.run(variable + walls + program)
    #expect(run.output == "none\n", "\(run.messages)")
    let named = try await ground.run(variable + walls + ["--env", "DENO_PERMISSION_BROKER_PATH"] + program)
    #expect(named.ending == .exited(64))
    #expect(named.messages.contains("start it with -A"), "\(named.messages)")
  }

  @Test(
    "A real agent's command starts behind walls, and tells its version without a question",
    arguments: ["PERMTUI_TEST_CLAUDE", "PERMTUI_TEST_CODEX"])
  func agent(_ variable: String) async throws {
    guard let agent = ProcessInfo.processInfo.environment[variable] else {
      return print("Skipped: \(variable) does not name the program")
    }
    let ground = try await Ground(isAllowed: false)
    let path = ground.user.program(variable.lowercased())
    try FileManager.default.copyItem(atPath: agent, toPath: path)
    let run = try await ground.endedRun(["--here", "--fixed"], path, "--version")
    #expect(run.ending == .exited(0), "\(run.messages)")
    #expect(run.output.contains("."), "\(run.messages)")
  }
}
