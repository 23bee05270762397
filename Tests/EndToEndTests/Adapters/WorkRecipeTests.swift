import Foundation
import TerminalTesting
import Testing

@Suite("The recipes for git, systemd, terraform and agents", .timeLimit(.minutes(5)))
struct WorkRecipeTests {
  private let home: AskingHome

  init() throws { home = try AskingHome() }

  /// Writes a recipe's code to a file in the home folder, and returns its path.
  private func place(_ heading: String, _ kind: String, at name: String) throws -> String {
    let path = home.folder.file(name)
    let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Repository.recipe(heading, kind).write(toFile: path, atomically: false, encoding: .utf8)
    let mode = kind == "sh" ? 0o755 : 0o644
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  @Test("A push is asked about by branch, and sends nothing without a yes", arguments: ["allow", "deny"])
  func push(verdict: String) async throws {
    let folder = home.folder.path
    let made = try await home.run([
      "bash", "-ec",
      """
      git init -q --bare \(folder)/origin.git
      git init -q -b main \(folder)/work && cd \(folder)/work
      git -c user.name=Ana -c user.email=ana@localhost commit -q --allow-empty -m start
      git remote add origin \(folder)/origin.git
      """,
    ])
    #expect(made.ending == .exited(0), "\(made.messages)")
    _ = try place("Ask before a push", "sh", at: "work/.git/hooks/pre-push")
    async let pushing = home.run(["git", "-C", folder + "/work", "push", "-q", "origin", "main"])
    let ids = try await home.waitingIDs(1)
    let pending = try await home.permtui("pending").output
    #expect(
      pending.contains("commands:run@git push origin \(folder)/origin.git main for \"pre-push\""),
      "\(pending)")
    _ = try await home.answer(ids[0], verdict)
    #expect((try await pushing.ending == .exited(0)) == (verdict == "allow"))
    let sent = try await home.run([
      "git", "-C", folder + "/origin.git", "rev-parse", "-q", "--verify", "main",
    ])
    #expect((sent.ending == .exited(0)) == (verdict == "allow"))
  }

  @Test(
    "git gets a password only with a yes, and asks nobody else after a no", arguments: ["allow", "deny"],
    [("https", "example.org:443"), ("http", "example.org:80")])
  func password(verdict: String, site: (scheme: String, host: String)) async throws {
    _ = try place("Ask before git uses a password", "sh", at: "bin/git-gate")
    let settings = try place("Ask before git uses a password", "ini", at: ".gitconfig")
    let other = "!touch \(home.folder.file("asked")); printf 'username=ana\\npassword=secret\\n'; :"
    async let filling = home.run(
      [
        "bash", "-c",
        "printf 'protocol=%s\\nhost=example.org\\n\\n' \"$1\" | git -c credential.helper=\"$2\" credential fill",
        "bash", site.scheme, other,
      ], environment: ["GIT_CONFIG_GLOBAL": settings, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"])
    let ids = try await home.waitingIDs(1)
    let pending = try await home.permtui("pending").output
    #expect(pending.contains("network:connect@\(site.host) for \"git-gate\""), "\(pending)")
    _ = try await home.answer(ids[0], verdict)
    let filled = try await filling
    #expect((filled.ending == .exited(0)) == (verdict == "allow"), "\(filled.messages)")
    #expect(filled.output.contains("password=secret") == (verdict == "allow"))
    #expect(FileManager.default.fileExists(atPath: home.folder.file("asked")) == (verdict == "allow"))
  }

  /// systemd does not run in every place where tests do, so the unit's own lines are run as systemd would run them.
  @Test(
    "A unit's condition lets it start, or skips it without a failure", .needs("systemd-analyze"),
    arguments: [("allow", 0...0), ("deny", 1...254), ("dismiss", 1...254)])
  func unit(answer: String, statuses: ClosedRange<Int32>) async throws {
    let script = try place("Ask before a unit starts", "sh", at: "bin/may-back-up")
    let unit = try place("Ask before a unit starts", "ini", at: "units/weekly-backup.service")
    let checked = try await home.run(["systemd-analyze", "--user", "verify", "--man=no", unit])
    #expect(checked.ending == .exited(0), "\(checked.messages)")
    let lines = try String(contentsOfFile: unit, encoding: .utf8).split(separator: "\n")
    let condition = try #require(
      lines.first { $0.hasPrefix("ExecCondition=") }?.dropFirst("ExecCondition=".count))
    #expect(condition == "%h/bin/may-back-up")
    async let checking = home.run([
      "env", "-i", "HOME=\(home.folder.path)", "XDG_RUNTIME_DIR=\(home.folder.file("run"))",
      "LC_ALL=C.UTF-8", "PATH=\(home.environment["PATH"] ?? "")", "setsid", "--wait", script,
    ])
    let ids = try await home.waitingIDs(1)
    _ = try await home.answer(ids[0], answer)
    guard case .exited(let status) = try await checking.ending else { throw CocoaError(.featureUnsupported) }
    #expect(statuses.contains(status))
  }

  @Test("terraform applies the plan that was shown, and only with a yes", arguments: ["allow", "deny"])
  func terraform(verdict: String) async throws {
    try home.write(
      """
      #!/bin/bash
      case $1 in
        plan) echo '+ a server' >"${2#-out=}" ;;
        show) cat "${@: -1}" ;;
        apply) cat "$2" >"$HOME/applied" ;;
      esac
      """, to: "terraform")
    let script = try place("Show the plan of terraform with the question", "sh", at: "bin/apply.sh")
    async let applying = home.run([script])
    let ids = try await home.waitingIDs(1)
    let pending = try await home.permtui("pending", "--json").output
    #expect(pending.contains("terraform apply") && pending.contains("+ a server"), "\(pending)")
    _ = try await home.answer(ids[0], verdict)
    #expect(try await applying.ending == .exited(verdict == "allow" ? 0 : 1))
    let applied = FileManager.default.contents(atPath: home.folder.file("applied"))
    #expect(applied == (verdict == "allow" ? Data("+ a server\n".utf8) : nil))
  }

  @Test("Two agents ask in a narrow pane beside them")
  func agents() async throws {
    for name in ["claude", "codex"] {
      try home.write(
        "#!/bin/bash\nread -r line\npermtui request \"$line\" --as \(name) --in-folder --queue && echo did it\nread -r line\n",
        to: name)
    }
    let recipe = try Repository.recipe("Two agents, and PermTUI beside them", "sh")
    let server = ["tmux", "-S", home.folder.file("tmux"), "-f", "/dev/null"]
    let command = recipe.replacingOccurrences(of: "tmux new", with: server.joined(separator: " ") + " new")
    let window = try home.terminal(["bash", "-c", command], columns: 150, rows: 40)
    try window.expect("the dashboard in its pane") { $0.contains("PermTUI") && $0.contains("Capability") }
    let widths = try await home.run(server + ["list-panes", "-t", "agents", "-F", "#{pane_width}"]).output
    #expect(widths.split(separator: "\n").last == "60", "\(widths)")
    for (pane, name) in [(0, "claude"), (1, "codex")] {
      let text = "commands:run@echo \(name)"
      _ = try await home.run(server + ["send-keys", "-t", "agents:0.\(pane)", "-l", text])
      _ = try await home.run(server + ["send-keys", "-t", "agents:0.\(pane)", "Enter"])
      try window.expect("the alert in the pane") {
        $0.contains("\(name) in ") && $0.contains("asks to run a command") && $0.isArmed
      }
      let shown = try await home.run(server + ["capture-pane", "-p", "-t", "agents:0.2"]).output
      #expect(shown.contains("\(name) in "), "\(shown)")
      #expect(shown.split(separator: "\n").allSatisfy { $0.count <= 60 })
      window.type("a")
      try window.expectGone("asks to run a command")
    }
    try window.expect("both answers") { $0.count(of: "did it") == 2 }
    _ = try await home.run(server + ["kill-server"])
    _ = try window.waitForEnd()
  }
}
