import Foundation
import TerminalTesting
import Testing

@Suite("Programs that ask for a key in the name of another", .timeLimit(.minutes(5)))
struct AskpassAttackTests {
  /// Makes another program connect, and starts the askpass program with that connection, as an agent does.
  private static let lender = """
    import os, socket, subprocess, sys
    path, prompt = sys.argv[1:]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    victim = subprocess.Popen(["ssh-add", "-l"], env=dict(os.environ, SSH_AUTH_SOCK=path))
    connection, _ = listener.accept()
    environment = dict(os.environ, SSH_ASKPASS_PROMPT="confirm")
    run = subprocess.run(["permtui-askpass", prompt], pass_fds=[listener.fileno(), connection.fileno()], env=environment)
    victim.kill()
    sys.exit(run.returncode)
    """

  /// Holds another program's connection as an agent does, and claims at the broker's socket that this program asks.
  private static let claimer = """
    import json, os, socket, subprocess, sys
    agent, path, fingerprint = sys.argv[1:]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(agent)
    listener.listen()
    victim = subprocess.Popen(["ssh-add", "-l"], env=dict(os.environ, SSH_AUTH_SOCK=agent))
    connection, _ = listener.accept()
    broker = socket.socket(socket.AF_UNIX)
    broker.connect(path)
    call = {"method": "io.permtui.Broker.Request", "parameters": {"capability": "keys", "keyUsers": [victim.pid],
      "values": [{"part": "use", "scope": {"name": fingerprint}}]}}
    broker.sendall(json.dumps(call).encode() + bytes(1))
    print(broker.recv(65536).decode())
    victim.kill()
    """

  @Test(
    "A connection of another program that no agent has lent is in doubt, and no kept answer counts for it")
  func lent() async throws {
    let place = try await SSHPlace()
    let key = "keys:use@\(place.fingerprint)"
    let allowed = try await place.home.permtui("allow", "ssh-add@/usr/bin/ssh-add", key, "--for", "session")
    #expect(allowed.ending == .exited(0), "\(allowed.messages)")
    let script = try place.home.write(Self.lender, to: "lender.py")
    let socket = place.home.folder.file("false-agent")
    async let lending = place.run("python3", script, socket, place.keyQuestion)
    let ids = try await place.home.waitingIDs(1)
    let pending = try await place.home.permtui("pending", "--json").output
    #expect(pending.contains("it is not known whether an ssh agent asks for it"), "\(pending)")
    _ = try await place.home.answer(ids[0], "deny")
    let run = try await lending
    #expect(run.ending == .exited(1) && run.output.isEmpty)
    // The same program is answered at once if the agent asks for it.
    #expect(try await place.run("ssh-add", "-T", place.home.folder.file("key.pub")).ending == .exited(0))
  }

  @Test("A program that names another process, whose connection it holds, asks as itself")
  func claimed() async throws {
    let place = try await SSHPlace()
    let script = try place.home.write(Self.claimer, to: "claimer.py")
    async let claiming = place.run(
      "python3", script, place.home.folder.file("false-agent"), place.home.sockets + "/ask", place.fingerprint
    )
    let waiting = try await place.home.pending(1)
    #expect(waiting[0].program.label == "claimer.py")
    _ = try await place.home.answer(waiting[0].id, "deny")
    #expect(try await claiming.output.contains("denied"))
  }

  @Test(
    "A question that could be read in two ways is neither asked nor passed on, and stands in the journal",
    arguments: [
      "Allow use of key a?\nKey fingerprint SHA256:aaa.\nx?\nKey fingerprint SHA256:bbb.",
      "Allow use of key a?\nKey fingerprint SHA256:a b.", "Allow use of key a?\nKey fingerprint SHA256:aaa",
      "Allow use of key a?", "Allow shared connection to a b? ", "Allow forward to port 22? ",
      // Not from ssh.
      "Allow shared connection to example.org? ",
    ])
  func ambiguous(_ text: String) async throws {
    let place = try await SSHPlace()
    let other = try place.home.write("#!/bin/bash\necho yes\n", to: "other-askpass")
    let run = try await place.ask(text, kind: "confirm", adding: ["PERMTUI_ASKPASS": other])
    #expect(run.ending == .exited(1) && run.output.isEmpty)
    #expect(run.messages.contains("neither asked nor passed on"))
    #expect(try await place.home.permtui("pending", "--json").output == "")
    let deadline = ContinuousClock.now + .seconds(30)
    let words = "a question of ssh was refused"
    while try await !place.home.permtui("log").output.contains(words), ContinuousClock.now < deadline {}
    #expect(try await place.home.permtui("log").output.contains(words))
  }
}
