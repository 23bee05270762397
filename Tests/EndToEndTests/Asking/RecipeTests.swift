import Foundation
import TerminalTesting
import Testing

@Suite("The recipes of the documentation", .timeLimit(.minutes(5)))
struct RecipeTests {
  private let home: AskingHome

  init() throws {
    home = try AskingHome()
    for (file, heading) in [("backup.sh", "Guard a backup script"), ("deploy.sh", "Ask before a deployment")]
    {
      try home.write(try Repository.recipe(heading, "sh"), to: file)
    }
    let settings = home.folder.file(".config/permtui")
    try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
    try Repository.recipe("Ask before a deployment", "toml")
      .write(toFile: settings + "/config.toml", atomically: false, encoding: .utf8)
  }

  @Test("A backup script copies only with a yes", arguments: ["allow", "deny"])
  func backup(verdict: String) async throws {
    try "1".write(toFile: home.folder.file("Pictures/one.jpg"), atomically: false, encoding: .utf8)
    let target = home.folder.file("copy")
    async let asking = home.run(["backup.sh", target])
    let ids = try await home.waitingIDs(1)
    _ = try await home.answer(ids[0], verdict, "--for", "forever")
    #expect(try await asking.ending == .exited(verdict == "allow" ? 0 : 1))
    #expect(FileManager.default.fileExists(atPath: target + "/one.jpg") == (verdict == "allow"))
    // From then on no person is asked.
    #expect(try await home.run(["backup.sh", target]).ending == .exited(verdict == "allow" ? 0 : 1))
  }

  /// Cron does not run in every place where tests do, so the script is started as cron would start it.
  @Test("The backup script works the same from cron, with its short PATH", arguments: ["allow", "deny"])
  func cron(verdict: String) async throws {
    let programs = home.folder.file(".local/bin")
    try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: programs + "/permtui", withDestinationPath: BuiltProgram.path)
    let recipe = try Repository.recipe("Guard a backup script", "sh")
    let script = try home.write(
      recipe.replacing("#!/bin/bash\n", with: "#!/bin/bash\nPATH=~/.local/bin:$PATH\n"), to: "backup.sh")
    let target = home.folder.file("copy")
    let command = [
      "env", "-i", "HOME=\(home.folder.path)", "XDG_RUNTIME_DIR=\(home.folder.file("run"))",
      "PATH=/usr/bin:/bin", "setsid", "--wait", "/bin/sh", "-c", "\(script) \(target)",
    ]
    async let asking = home.run(command)
    let ids = try await home.waitingIDs(1)
    _ = try await home.answer(ids[0], verdict, "--for", "forever")
    #expect(try await asking.ending == .exited(verdict == "allow" ? 0 : 1))
    #expect(FileManager.default.fileExists(atPath: target) == (verdict == "allow"))
    #expect(try await home.run(command).ending == .exited(verdict == "allow" ? 0 : 1))
  }

  @Test(
    "A deployment asks, and tells no from no answer",
    arguments: [("allow", 0, "deploying v7\n"), ("deny", 1, ""), ("dismiss", 75, "")])
  func deployment(answer: String, status: Int32, said: String) async throws {
    async let asking = home.run(["deploy.sh", "v7"])
    let ids = try await home.waitingIDs(1)
    #expect(try await home.permtui("pending").output.contains("deploy:production for \"deploy\""))
    _ = try await home.answer(ids[0], answer)
    let run = try await asking
    #expect(run.ending == .exited(status), "\(run.messages)")
    #expect(run.output.hasSuffix(said))
  }

  @Test("A Makefile asks, and make stops at a no", arguments: ["allow", "deny"])
  func makefile(verdict: String) async throws {
    let makefile = home.folder.file("Makefile")
    try Repository.recipe("Ask from a Makefile", "make").write(
      toFile: makefile, atomically: false, encoding: .utf8)
    async let making = home.run(["make", "-s", "-C", home.folder.path])
    let ids = try await home.waitingIDs(1)
    let pending = try await home.permtui("pending").output
    #expect(pending.contains("(~/Makefile)"), "\(pending)")
    _ = try await home.answer(ids[0], verdict)
    let run = try await making
    #expect(run.ending == .exited(verdict == "allow" ? 0 : 2), "\(run.messages)")
    #expect(run.output.contains("published") == (verdict == "allow"), "\(run.output)")
  }

  @Test("A request is approved from another terminal")
  func anotherTerminal() async throws {
    let broker = try home.broker()
    let script = try home.terminal("deploy.sh", "v7")
    try script.expect("To keep an answer: permtui allow deploy deploy:production")
    _ = try await home.waitingIDs(1)
    let run = try await home.run([
      "bash", "-ec", try Repository.recipe("Approve from another terminal", "sh"),
    ])
    #expect(run.ending == .exited(0), "\(run.messages)")
    try script.expect("deploying v7")
    #expect(try script.waitForEnd() == .exit(code: 0))
    #expect(try await home.permtui("status", "deploy", "--json").output.contains("tested on staging"))
    withExtendedLifetime(broker) {}
  }

  @Test("Requests are answered over a forwarded socket, and the store stays where it is")
  func forwarded() async throws {
    let broker = try home.broker()
    let elsewhere = try AskingHome()
    let socket = elsewhere.folder.file("control")
    // This replaces ssh, which does the same with bytes.
    let forward = try home.terminal(
      "socat", "UNIX-LISTEN:\(socket),fork,mode=600", "UNIX-CONNECT:\(home.sockets)/control")
    let deadline = ContinuousClock.now + .seconds(20)
    while !FileManager.default.fileExists(atPath: socket), ContinuousClock.now < deadline {
      await Task.yield()
    }
    async let asking = home.run(["backup.sh", home.folder.file("copy")])
    _ = try await home.waitingIDs(1)
    let there = ["PERMTUI_SOCKETS": elsewhere.folder.path]
    let pending = try await elsewhere.run(["permtui", "pending"], environment: there)
    #expect(pending.output.contains("photos:read for \"backup\""), "\(pending.messages)")
    let walk = try elsewhere.terminal("PERMTUI_SOCKETS=\(elsewhere.folder.path)", "permtui", "answer")
    try walk.expect("Type allow or deny.")
    walk.type("allow\r")
    try walk.expect("Nothing waits now.")
    #expect(try walk.waitForEnd() == .exit(code: 0))
    #expect(try await asking.ending == .exited(0))
    let allowed = try await elsewhere.run(["permtui", "allow", "ci", "photos"], environment: there)
    #expect(allowed.ending == .exited(0), "\(allowed.messages)")
    #expect(try await home.permtui("status", "--program", "ci").output.contains("photos:read"))
    #expect(!FileManager.default.fileExists(atPath: elsewhere.store))
    withExtendedLifetime((broker, forward)) {}
  }

  @Test("tmux shows how many wait, and a popup answers", .needs("tmux"))
  func tmux() async throws {
    let broker = try home.broker()
    let settings = home.folder.file("tmux.conf")
    try Repository.recipe("A status line and a popup for tmux", "tmux")
      .write(toFile: settings, atomically: false, encoding: .utf8)
    let window = try home.terminal(
      "tmux", "-S", home.folder.file("tmux"), "-f", settings, "new-session", "env", "cat")
    try window.expect("0 waiting")
    async let asking = home.run(["backup.sh", home.folder.file("copy")])
    try window.expect("1 waiting")
    window.pressControl("b")
    window.type("P")
    try window.expect("the alert in a popup, armed") { $0.contains("asks to read your photos") && $0.isArmed }
    window.type("a")
    #expect(try await asking.ending == .exited(0))
    try window.expectGone("asks to read your photos")
    try window.expect("0 waiting")
    _ = try await home.run(["tmux", "-S", home.folder.file("tmux"), "kill-server"])
    _ = try window.waitForEnd()
    withExtendedLifetime(broker) {}
  }

  @Test("The panic key of tmux starts a panic, which a command lifts", .needs("tmux"))
  func panicKey() async throws {
    let settings = home.folder.file("tmux.conf")
    try Repository.recipe("A panic key", "tmux").write(toFile: settings, atomically: false, encoding: .utf8)
    let window = try home.terminal(
      "tmux", "-S", home.folder.file("tmux"), "-f", settings, "new-session", "permtui")
    try window.expect("0 waiting")
    window.pressControl("b")
    window.type("!")
    try window.expect("PANIC since")
    #expect(try await home.permtui("panic", "--lift").ending == .exited(0))
    try window.expectGone("PANIC since")
    _ = try await home.run(["tmux", "-S", home.folder.file("tmux"), "kill-server"])
    _ = try window.waitForEnd()
  }

  @Test("The command of sway's panic key starts a panic, run by a shell as sway runs it")
  func panicBinding() async throws {
    let binding = try Repository.recipe("A panic key", "sway").trimmingCharacters(in: .newlines)
    let words = binding.split(separator: " ", maxSplits: 3).map(String.init)
    #expect(words[0] == "bindsym" && words[2] == "exec", "\(binding)")
    let run = try await home.run(["sh", "-c", try #require(words.last)])
    #expect(run.ending == .exited(0), "\(run.messages)")
    #expect(try await home.permtui("status", "--json").output.contains("\"suspended\":{"))
    #expect(try await home.permtui("panic", "--lift").ending == .exited(0))
  }
}
