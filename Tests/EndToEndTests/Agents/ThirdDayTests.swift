import Foundation
import TerminalTesting
import Testing

/// A day as an agent's user has it once the usual rules of the project and a dozen decisions are there.
@Suite("The third day with an agent", .timeLimit(.minutes(5)), .enabled(if: getuid() == 0))
struct ThirdDayTests {
  private let home: AskingHome
  private let project: String

  init() throws {
    home = try AskingHome()
    project = try home.project("app")
    _ = try home.writeAgent()
    _ = try home.writeAgent("codex")
  }

  /// The lines that Claude Code asks about in a working hour of a web project.
  private static let lines = [
    "git status", "git diff --stat", "git log --oneline -5", "git diff HEAD -- src/login.ts", "ls -la src",
    "cat package.json", #"grep -rn "session" src"#, "find src -name '*.ts'", "wc -l src/login.ts",
    "npm test", "npm test 2>&1 | tail -30", "npm test -- tests/login.test.ts", "npm run lint",
    #"git add -A && git commit -m "Add sessions""#,
    "git commit -m \"$(cat <<'EOF'\nAdd sessions\n\nWith tests.\nEOF\n)\"",
    "curl -s http://localhost:3000/api/health", #"cd src && grep -rn "login" . | head -20"#,
    "rm -rf coverage",
    "python3 -m pytest tests/test_auth.py -k expiry -x", "python3 -m pytest tests/test_auth.py -k reset -x",
  ]

  /// Those that are asked about nevertheless: nobody has decided about them, or they are asked about each time.
  private static let open = [
    "npm install zod@3.23.8", "for f in src/*.ts; do wc -l $f; done", #"psql -h localhost -c "select 1""#,
    "sleep 2; curl -s http://localhost:3000/api/health | jq .", "git push origin main",
    "git status; rm -rf ~",
    "npm test -- ../other/x.test.ts", "rm -rf coverage src", "curl -s http://localhost:3000/api/health | sh",
    #"git -c core.pager=./x log"#, "cat ~/.ssh/id_ed25519",
    "git commit -m x --no-verify -F ~/.ssh/id_ed25519",
  ]

  /// The decisions, besides the usual rules.
  private static let kept = [
    "npm test", "npm test -- tests/login.test.ts", "npm run lint", "git commit -m {text}",
    #"git add -A && git commit -m "Add sessions""#, "rm -rf coverage",
    "python3 -m pytest tests/test_auth.py -k expiry -x", "python3 -m pytest tests/test_auth.py -k reset -x",
    "curl -s http://localhost:{number}/api/{word}",
  ]

  /// Writes what an agent says before it runs a line or changes a file, and returns the path.
  private func message(_ tool: String, _ input: [String: Any], ofCodex: Bool = false) throws -> String {
    var message: [String: Any] = [
      "session_id": "57fa2c0e-4f0c-4b7e-9a43-6a1d1f0c2b11", "cwd": project, "permission_mode": "default",
      "hook_event_name": "PermissionRequest", "tool_name": tool, "tool_input": input,
    ]
    if ofCodex { message.merge(["turn_id": "3", "model": "gpt-5-codex"]) { $1 } }
    let bytes = try JSONSerialization.data(withJSONObject: message)
    return try home.write(String(decoding: bytes, as: UTF8.self), as: "\(UUID().uuidString).json")
  }

  private func messages(_ lines: [String], ofCodex: Bool = false) throws -> [String] {
    try lines.map {
      try message("Bash", ["command": $0, "description": "as asked"], ofCodex: ofCodex)
    }
  }

  private func quoted(_ word: String) -> String { "'\(word.replacing("'", with: #"'\''"#))'" }

  /// Returns a script that decides, and then lets the agent say each of the messages. The user's home folder is that of the
  /// test, as command forms want it, so the script runs where another list of users is mounted.
  private func script(_ messages: [String], _ agent: String) -> String {
    let permtui = BuiltProgram.path
    let path = "\(home.folder.file("bin"))/\(agent)"
    let allow = "\(permtui) allow \(agent)@\(path)"
    let decisions =
      Self.kept.map { "\(allow) \(quoted("commands:run@\($0)")) --in . --for session" } + [
        "\(allow) network:connect@zod.dev:443 --in .", "\(allow) tools:use@mcp__github__get_issue --in .",
      ]
    return """
      set -e
      sed "s,^root:\\(.*\\):[^:]*:\\([^:]*\\)$,root:\\1:$HOME:\\2," /etc/passwd > "$HOME/users"
      mount --bind "$HOME/users" /etc/passwd
      mkdir -p src/auth tests coverage
      git init -q
      echo '{"scripts": {"test": "jest", "lint": "eslint"}}' > package.json
      touch src/login.ts tests/login.test.ts tests/test_auth.py
      git add -A
      git -c user.name=Ana -c user.email=ana@example.org commit -qm first
      \(permtui) serve > "$HOME/serve.log" 2>&1 &
      broker=$!
      trap 'kill $broker; wait' EXIT
      until grep -q Listening "$HOME/serve.log"; do :; done
      {
        \(permtui) connect \(agent) --here --write
        \((decisions).joined(separator: "\n  "))
      } > "$HOME/decisions.log"
      for message in \(messages.map(quoted).joined(separator: " ")); do
        answer=$(\(path) "$message")
        case "$answer" in
        *'"behavior":"allow"'*) echo allowed ;;
        "") echo asked ;;
        *) echo "$answer" ;;
        esac
      done
      """
  }

  /// Returns what the agent was told about each of the messages. If it was told nothing, the person is asked.
  private func answers(_ messages: [String], _ agent: String = "claude") async throws -> [String] {
    let run = try await home.run(
      [
        "unshare", "--mount", "--propagation", "private", "env", "-C", project, "bash", "-c",
        script(messages, agent),
      ],
      environment: ["HOOK": "\(hook); exit $?", "PATH": "/usr/local/bin:/usr/bin:/bin"])
    #expect(run.ending == .exited(0), "\(run.messages)")
    return run.output.split(separator: "\n").map(String.init)
  }

  private var hook: String { "\(BuiltProgram.path) hook --sockets \(home.sockets)" }

  @Test("Most of what is the same every day is answered, and nothing else is allowed")
  func day() async throws {
    let changes = try ["src/login.ts", "src/session.ts", "src/auth/token.ts", "tests/login.test.ts"].map {
      try message("Write", ["file_path": "\(project)/\($0)", "content": "export {}\n"])
    }
    let others = [
      try message("WebFetch", ["url": "https://zod.dev/api", "prompt": "Read it"]),
      try message("mcp__github__get_issue", ["owner": "ana", "repo": "app", "issue_number": 4]),
    ]
    let known = changes + others + (try messages(Self.lines))
    let answers = try await answers(known + messages(Self.open))
    let asked = Self.lines.indices.filter { answers[changes.count + others.count + $0] != "allowed" }
    #expect(asked.map { Self.lines[$0] } == [])
    #expect(Array(answers.prefix(changes.count + others.count)) == Array(repeating: "allowed", count: 6))
    let wrong = Self.open.indices.filter { answers[known.count + $0] == "allowed" }
    #expect(wrong.map { Self.open[$0] } == [])
  }

  @Test("So it is with Codex, if its lines name their folder; of those that do not, none is answered")
  func codex() async throws {
    let inFolder = { [project] (line: String) in "cd \(project) && \(line)" }
    let named = try messages((Self.lines + Self.open).map(inFolder), ofCodex: true)
    let answers = try await answers(named + messages(Self.lines, ofCodex: true), "codex")
    let asked = Self.lines.indices.filter { answers[$0] != "allowed" }
    // A line that is kept as a whole is another one behind `cd`, and so is one that goes to a second folder.
    #expect(
      asked.map { Self.lines[$0] } == [
        #"git add -A && git commit -m "Add sessions""#, #"cd src && grep -rn "login" . | head -20"#,
      ])
    let wrong = Self.open.indices.filter { answers[Self.lines.count + $0] == "allowed" }
    #expect(wrong.map { Self.open[$0] } == [])
    let unnamed = answers.suffix(Self.lines.count).count { $0 == "allowed" }
    #expect(unnamed == 0, "\(answers)")
  }
}
