import Foundation
import TerminalTesting
import Testing

@Suite("Keys of a real ssh agent", .timeLimit(.minutes(5)))
struct AskpassTests {
  @Test("The alert names the program that uses the key, and the answer counts", arguments: ["allow", "deny"])
  func use(verdict: String) async throws {
    let place = try await SSHPlace()
    async let signing = place.sign()
    let waiting = try await place.home.pending(1)
    #expect(waiting[0].program.label == "ssh-keygen")
    #expect(waiting[0].reason == "key ana@laptop")
    let pending = try await place.home.permtui("pending").output
    #expect(pending.contains("keys:use@\(place.fingerprint)"), "\(pending)")
    #expect(pending.contains("/usr/bin/ssh-keygen"), "\(pending)")
    _ = try await place.home.answer(waiting[0].id, verdict)
    let run = try await signing
    #expect((run.ending == .exited(0)) == (verdict == "allow"), "\(run.messages)")
    #expect(
      FileManager.default.fileExists(atPath: place.home.folder.file("text.sig")) == (verdict == "allow"))
  }

  @Test("A kept answer holds for the program and the key, which are not asked about again")
  func kept() async throws {
    let place = try await SSHPlace()
    async let signing = place.sign()
    let ids = try await place.home.waitingIDs(1)
    let answered = try await place.home.answer(ids[0], "allow", "--for", "session")
    #expect(answered.ending == .exited(0), "\(answered.messages)")
    #expect(try await signing.ending == .exited(0))
    #expect(try await place.sign().ending == .exited(0))
    // Another program asks, although it uses the same key.
    async let testing = place.run("ssh-add", "-T", place.home.folder.file("key.pub"))
    let waiting = try await place.home.pending(1)
    #expect(waiting[0].program.label == "ssh-add")
    _ = try await place.home.answer(waiting[0].id, "deny")
    #expect(try await testing.ending == .exited(1))
  }

  @Test("With two clients of the agent, both are named, and the answer is for once")
  func twoClients() async throws {
    let place = try await SSHPlace()
    let other = try place.home.terminal("python3", "-c", Self.otherClient, place.home.folder.file("agent"))
    try other.expect("connected")
    async let signing = place.sign()
    let ids = try await place.home.waitingIDs(1)
    #expect(try await place.home.pending(1)[0].program.label == SSHPlace.comment)
    let kept = try await place.home.answer(ids[0], "allow", "--for", "session")
    #expect(kept.ending != .exited(0))
    let pending = try await place.home.permtui("pending").output
    #expect(pending.contains("it is not known which of them uses the key"), "\(pending)")
    #expect(pending.contains("python3") && pending.contains("ssh-keygen ("), "\(pending)")
    _ = try await place.home.answer(ids[0], "allow")
    #expect(try await signing.ending == .exited(0))
    withExtendedLifetime(other) {}
  }

  /// Connects to an agent, waits for the answer to a question, and stays connected.
  private static let otherClient = """
    import socket, sys
    agent = socket.socket(socket.AF_UNIX)
    agent.connect(sys.argv[1])
    agent.sendall(bytes([0, 0, 0, 1, 11]))
    agent.recv(4096)
    print("connected", flush=True)
    agent.recv(1)
    """

  @Test("A client that goes away takes its question with it")
  func withdrawn() async throws {
    let place = try await SSHPlace()
    var signing: TerminalSession? = try place.home.terminal(
      "SSH_AUTH_SOCK=\(place.home.folder.file("agent"))", "ssh-keygen", "-Y", "sign", "-n", "file", "-f",
      place.home.folder.file("key.pub"), place.home.folder.file("text"))
    _ = try await place.home.waitingIDs(1)
    withExtendedLifetime(signing) {}
    signing = nil
    let deadline = ContinuousClock.now + .seconds(30)
    while try await place.home.permtui("pending", "--json").output != "", ContinuousClock.now < deadline {}
    #expect(try await place.home.permtui("pending", "--json").output == "")
    #expect(try await place.home.permtui("log").output.contains("withdrawn"))
    // The agent serves its next client.
    #expect(try await place.run("ssh-add", "-l").output.contains(place.fingerprint))
  }

  @Test("A comment that is not fit for a name is shown, and the question is asked")
  func comment() async throws {
    let place = try await SSHPlace(comment: "<ana> \u{1b}[2J")
    async let signing = place.sign()
    let waiting = try await place.home.pending(1)
    #expect(waiting[0].program.label == "ssh-keygen")
    #expect(try await !place.home.permtui("pending").output.contains("\u{1b}"))
    _ = try await place.home.answer(waiting[0].id, "allow")
    #expect(try await signing.ending == .exited(0))
  }

  @Test("Without a broker, the key is refused, and no terminal is asked")
  func noBroker() async throws {
    let place = try await SSHPlace(hasBroker: false)
    #expect(try await place.sign().ending != .exited(0))
    let terminal = try place.home.terminal(
      "SSH_ASKPASS_PROMPT=confirm", place.askpass, "Allow use of key k?\nKey fingerprint SHA256:abc.")
    #expect(try terminal.waitForEnd() == .exit(code: 1))
    #expect(terminal.picture.contains("nobody can be asked"))
    #expect(!terminal.picture.contains("asks to"))
    let run = try await place.ask(place.keyQuestion, kind: "confirm")
    #expect(run.ending == .exited(1) && run.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: place.home.store))
  }

  @Test("A notice needs no answer; the command and the link do the same")
  func notice() async throws {
    let place = try await SSHPlace()
    let run = try await place.ask("Confirm user presence for key", kind: "none")
    #expect(run.ending == .exited(0) && run.output.isEmpty && run.messages.isEmpty)
    let command = try await place.run(
      BuiltProgram.path, "askpass", "Confirm user presence", adding: ["SSH_ASKPASS_PROMPT": "none"])
    #expect(command.ending == .exited(0) && command.output.isEmpty)
  }
}

@Suite("Passwords and askpass", .timeLimit(.minutes(5)))
struct AskpassPasswordTests {
  private static let prompts = [
    "Enter passphrase for key '/home/ana/.ssh/id_ed25519': ", "ana@example.org's password: ",
    "[sudo] password for ana: ", "Username for 'https://example.org': ", "--help", "",
    // Not from ssh, so it is not asked.
    """
    The authenticity of host 'example.org (192.0.2.1)' can't be established.
    ED25519 key fingerprint is SHA256:abc.
    Are you sure you want to continue connecting (yes/no/[fingerprint])? 
    """,
  ]

  @Test("are passed on to the person's other program with the same words, and never read", arguments: prompts)
  func passedOn(_ prompt: String) async throws {
    let place = try await SSHPlace()
    let other = try place.home.write(
      "#!/bin/bash\nprintf '%s' \"$1\" >\(place.home.folder.file("prompt"))\necho $#; cat /proc/$PPID/comm\n",
      to: "other-askpass")
    let run = try await place.ask(prompt, adding: ["PERMTUI_ASKPASS": other])
    #expect(run.ending == .exited(0), "\(run.messages)")
    // The other program has taken the place of this one, so the answer is never in the hands of PermTUI.
    #expect(run.output.hasPrefix("1\n") && !run.output.contains("permtui"), "\(run.output)")
    #expect(try String(contentsOfFile: place.home.folder.file("prompt"), encoding: .utf8) == prompt)
    let alone = try await place.ask(prompt)
    #expect(alone.ending == .exited(1) && alone.output.isEmpty)
    #expect(alone.messages.contains("PERMTUI_ASKPASS"))
    let circle = try await place.ask(prompt, adding: ["PERMTUI_ASKPASS": place.askpass])
    #expect(circle.ending == .exited(1) && circle.output.isEmpty)
    #expect(try await place.home.permtui("pending", "--json").output == "")
  }
}
