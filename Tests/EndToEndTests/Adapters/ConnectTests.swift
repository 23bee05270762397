import Foundation
import TerminalTesting
import Testing

@Suite("Connecting programs, through the built program")
struct ConnectTests {
  private let home: TemporaryFolder
  private let program: String

  /// Copies the program to a place that only its owner can write, wherever the tests were built.
  init() throws {
    home = try TemporaryFolder()
    let files = FileManager.default
    for name in ["bin", "app", "run"] {
      try files.createDirectory(
        atPath: home.file(name), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }
    program = home.file("bin/permtui")
    try files.copyItem(atPath: BuiltProgram.path, toPath: program)
    chmod(program, 0o755)
  }

  /// Runs a command in the folder of the project.
  private func permtui(_ words: String) async throws -> ProcessRun {
    let environment = BuiltProgram.environment(home: home, ["XDG_RUNTIME_DIR": home.file("run")])
    return try await ProcessRun.run(
      "/bin/sh", ["-c", "cd \(home.file("app")) && \(program) \(words)"], environment: environment)
  }

  @Test("An agent is connected by its settings, the doctor sees it, and it is taken back")
  func agent() async throws {
    let settings = home.file(".claude/settings.json")
    let shown = try await permtui("connect claude")
    #expect(shown.ending == .exited(0), "\(shown.messages)")
    #expect(shown.output.contains("\"command\": \"'\(program)' hook; exit $?\""), "\(shown.output)")
    #expect(!FileManager.default.fileExists(atPath: settings))
    #expect(try await permtui("connect claude --write").ending == .exited(0))
    #expect(try String(contentsOfFile: settings, encoding: .utf8).contains("'\(program)' hook; exit $?"))
    #expect(try await permtui("doctor").output.contains("claude asks here (~/.claude/settings.json)"))
    #expect(try await permtui("connect claude --remove").ending == .exited(0))
    #expect(!FileManager.default.fileExists(atPath: settings))
    #expect(try await permtui("connect claude --remove").ending == .exited(1))
  }

  @Test("The command for walls passes every argument on to the program that builds them")
  func walls() async throws {
    let refused = try await permtui("connect claude --walls --write")
    #expect(refused.ending == .exited(125), "\(refused.messages)")
    let warden = home.file("bin/permtui-run")
    try "#!/bin/sh\n[ \"$1\" = --try ] || printf '<%s>' \"$@\"\n".write(
      toFile: warden, atomically: false, encoding: .utf8)
    chmod(warden, 0o755)
    let made = try await permtui("connect claude --walls --write")
    #expect(made.ending == .exited(0), "\(made.messages)")
    let doctor = try await permtui("doctor")
    #expect(doctor.output.contains("~/.local/bin/claude-walls starts claude behind walls"))
    let run = try await permtui("--version >/dev/null; ~/.local/bin/claude-walls -p 'a b' --write ''")
    #expect(run.output == "<--><claude><-p><a b><--write><>", "\(run.output) \(run.messages)")
    #expect(try await permtui("connect claude --walls --remove").ending == .exited(0))
    #expect(!FileManager.default.fileExists(atPath: home.file(".local/bin/claude-walls")))
  }

  @Test("The rules for a project are one change, with a broker and without one")
  func here() async throws {
    let alone = try await permtui("connect claude --here --write")
    #expect(alone.ending == .exited(0), "\(alone.messages)")
    #expect(try await permtui("why claude files:write@\(home.file("app"))/x --in .").ending == .exited(0))
    #expect(try await permtui("undo").ending == .exited(0))
    #expect(try await permtui("why claude files:write@\(home.file("app"))/x --in .").ending == .exited(3))
    let why = "\(program) why codex files:write@\(home.file("app"))/x --in . >/dev/null"
    let served = try await permtui(
      """
      --version >/dev/null
      timeout 20 \(program) serve 2>/dev/null & broker=$!
      until [ -S \(home.file("run/permtui/control")) ]; do :; done
      \(program) connect codex --here --write >/dev/null 2>&1; \(why); echo "first $?"
      \(program) log --program codex | grep -c "without a broker"
      \(program) undo >/dev/null 2>&1; \(why); echo "then $?"
      kill $broker
      """)
    #expect(served.output == "first 0\n0\nthen 3\n", "\(served.output) \(served.messages)")
  }

  @Test(
    "A push asks, and goes on or stops as decided for the hook",
    .needs("git"))
  func git() async throws {
    let made = try await permtui(
      """
      connect git 2>/dev/null; git init -q --bare ../remote.git && git init -q . && git config user.email ana@example.org
      git config user.name ana && git commit -q --allow-empty -m one && git remote add origin ../remote.git
      \(program) connect git --write
      """)
    #expect(made.ending == .exited(0), "\(made.messages)")
    let hook = "pre-push@\(home.file("app/.git/hooks/pre-push"))"
    let value = "commands:run@git push origin file://$(pwd -P)/../remote.git"
    let denied = try await permtui(
      "deny \(hook) \"\(value)\" && git push -q origin HEAD:main")
    #expect(denied.ending == .exited(1), "\(denied.messages)")
    let allowed = try await permtui(
      "allow \(hook) \"\(value)\" && git push -q origin HEAD:main && git ls-remote origin")
    #expect(allowed.ending == .exited(0), "\(allowed.messages)")
    #expect(allowed.output.contains("refs/heads/main"))
    // The name is the same, but the commits would go elsewhere.
    let elsewhere = try await permtui(
      """
      deny \(hook) "commands:run@git push origin file://$(pwd -P)/../evil.git" >/dev/null 2>&1
      git init -q --bare ../evil.git
      git -c remote.origin.pushurl=../evil.git push -q origin HEAD:other; echo "push $?"
      git -C ../evil.git for-each-ref
      """)
    #expect(elsewhere.output == "push 1\n", "\(elsewhere.output) \(elsewhere.messages)")
  }

  @Test("Wrong words are usage errors")
  func wrong() async throws {
    for words in [
      "connect", "connect emacs", "connect ssh --here", "connect ssh --walls",
      "connect claude --here --walls", "connect claude --write --remove",
    ] {
      #expect(try await permtui(words).ending == .exited(64), "\(words)")
    }
  }
}
