import Foundation
import Machine
import PermModel
import Testing

@testable import PermTUI

@Suite("An agent's own rules, as decisions here")
struct OwnRulesTests {
  private let trial: ConnectTrial

  init() throws { trial = try ConnectTrial() }

  private func rules(_ program: ConnectableProgram = .claude) -> [OwnRules.Rule] {
    OwnRules(of: program, AgentRules(trial.places), folder: trial.path("app")).rules
  }

  private func reference(_ rule: String, _ verdict: Verdict, isProject: Bool = true) -> String {
    let reader = ClaudeRule(
      verdict: verdict, home: "/home/ana", folder: "/home/ana/app", isProject: isProject)
    do throws(ClaudeRule.Obstacle) {
      return try reader.reference(rule)
    } catch {
      return "! \(error.words)"
    }
  }

  @Test(
    "A denial is taken over if it means the same here, or more",
    arguments: [
      ("Bash(git push:*)", "commands:run@git push …"), ("Bash(rm *)", "commands:run@rm …"),
      ("Bash(curl evil.example)", "commands:run@curl evil.example"), ("Bash", "commands:run@*"),
      ("Read(~/.ssh/**)", "files:read@/home/ana/.ssh/"), ("Edit(//etc/**)", "files:write@/etc/"),
      ("Write(./a.txt)", "files:write@/home/ana/app/a.txt"),
      ("Read(/secret/*)", "files:read@/home/ana/app/secret/"),
      ("Read(conf/key.pem)", "files:read@/home/ana/app/conf/key.pem"), ("Read", "files:read@*"),
      ("WebFetch(domain:evil.example)", "network:connect@evil.example"), ("WebFetch", "network:connect@*"),
      ("mcp__box", "tools:use@mcp__box__*"), ("mcp__box__*", "tools:use@mcp__box__*"),
      ("mcp__box__run", "tools:use@mcp__box__run"), ("WebSearch", "tools:use@WebSearch"),
    ])
  func denials(_ rule: String, _ meant: String) throws {
    #expect(reference(rule, .deny) == meant)
    // A rule can be typed as it is shown.
    let typed = try TypedCapabilities(
      decided: [meant], isWhole: true, resolvesPatterns: true, in: .builtIn, home: "/home/ana")
    #expect(typed.references.count == 1)
  }

  @Test(
    "An allow is taken over only if it means the same here, or less",
    arguments: [
      ("Bash(git status:*)", "commands:run@git status …"), ("Bash(npm run:*)", "commands:run@npm run …"),
      ("Bash(npm run lint)", "commands:run@npm run lint"),
      ("Read(~/docs/**)", "files:read@/home/ana/docs/"),
      ("WebFetch(domain:a.example)", "network:connect@a.example"),
      ("WebSearch", "tools:use@WebSearch"),
    ])
  func allows(_ rule: String, _ meant: String) {
    #expect(reference(rule, .allow) == meant)
  }

  @Test(
    "A rule that would mean more, or that cannot be written here, has a reason",
    arguments: [
      ("Bash(git:*)", Verdict.allow), ("Bash(npx:*)", .allow), ("Bash", .allow), ("Bash(*)", .allow),
      ("Bash(tmux kill-server)", .allow), ("Bash(permtui allow x y)", .allow), ("Read", .allow),
      ("Edit", .allow),
      ("WebFetch", .allow), ("Bash(git * main)", .deny), ("Bash(./x $A:*)", .deny), ("Read(.env)", .deny),
      ("Read(**/.env)", .deny), ("Read(*.pem)", .deny), ("Read(/a/[b]/c)", .deny),
      ("WebFetch(a.example)", .deny),
      ("WebFetch(domain:*)", .allow), ("Task(Explore)", .deny), ("Bash(ls", .deny), ("", .deny),
      ("Read(../x/y)", .allow),
    ])
  func obstacles(_ rule: String, _ verdict: Verdict) {
    let found = reference(rule, verdict)
    #expect(found.hasPrefix("! ") || rule == "Read(../x/y)", "\(found)")
  }

  @Test("A path that begins at the settings is certain only in those of a project")
  func root() {
    #expect(reference("Read(/a/**)", .deny, isProject: false).hasPrefix("! "))
  }

  @Test("A project's denials are taken over, its allows are not, and the person's own are")
  func sources() throws {
    let permissions = #"{"permissions": {"allow": ["Bash(git status:*)", 7], "deny": ["Bash(git push:*)"]}}"#
    try trial.file(".claude/settings.json", permissions)
    try trial.file("app/.claude/settings.json", permissions)
    let found = rules()
    #expect(found.map(\.verdict) == [.deny, .allow, .deny, .allow])
    #expect(found.map { $0.obstacle == nil } == [true, true, true, false])
    #expect(found.last?.obstacle?.contains("the project brings it") == true)
    #expect(found.last?.source == "~/app/.claude/settings.json")
  }

  @Test("Rules of Codex that forbid are taken over; those that allow are not, with the reason")
  func codex() throws {
    try trial.file(
      ".codex/rules/default.rules",
      """
      # comment
      prefix_rule(pattern=["git", "push"], decision="forbidden", justification="no (really)")
      prefix_rule(
          pattern = ["gh", "pr", ["view", "list"]],
          decision = "forbidden",
      )
      prefix_rule(pattern=["ls"], decision="allow")
      prefix_rule(pattern=["rm"], decision="prompt")
      prefix_rule(pattern=["a"
      """)
    let found = rules(.codex)
    #expect(found.map(\.reference) == ["commands:run@git push …", nil, nil, nil])
    #expect(found[2].obstacle == "Codex does not say in which folder it runs a line")
  }

  @Test("connect --here shows them, makes them in the same change, and says what is left")
  func taken() throws {
    try trial.file(
      ".claude/settings.json",
      #"{"permissions": {"allow": ["WebSearch", "Bash(git push)"], "deny": ["Bash(git push:*)", "Read(.env)"]}}"#
    )
    func run(_ step: ConnectionWork.Step) throws -> (String, String) {
      let (data, messages) = (RecordedSink(), RecordedSink())
      let rules = ProjectRules(program: .claude, places: trial.places, context: trial.context(data, messages))
      _ = try rules.run(step)
      return (data.text, messages.text)
    }
    let (shown, messages) = try run(.show)
    #expect(shown.contains("deny commands:run@git push … for claude in ~/app forever"), "\(shown)")
    #expect(shown.contains("allow tools:use@WebSearch for claude in ~/app forever"), "\(shown)")
    #expect(messages.contains("Read(.env) is not taken over: a name in every folder"), "\(messages)")
    _ = try run(.write)
    let decisions = try trial.shell.store.decisions()
    #expect(decisions.contains { $0.verdict == .deny && $0.atom.scope.text == "git push …" })
    // A denied rule is not allowed as well.
    #expect(!decisions.contains { $0.verdict == .allow && $0.atom.scope.text == "git push" })
    #expect(trial.shell.run("undo").status == 0)
    #expect(try trial.shell.store.decisions().isEmpty)
  }

  @Test("After the agent's file was replaced in place, the rules are made again for the new file")
  func renewed() throws {
    try trial.file("bin/claude", "1", mode: 0o755)
    var places = trial.places
    places.commands = [trial.path("bin")]
    let context = trial.context()
    _ = try ProjectRules(program: .claude, places: places, context: context).run(.write)
    let before = try trial.shell.store.decisions().filter { $0.subject.label == "claude" }
    try trial.file("bin/claude", "2", mode: 0o755)
    _ = try ProjectRules(program: .claude, places: places, context: context).run(.write)
    let after = try trial.shell.store.decisions().filter { $0.subject.label == "claude" }
    #expect(Set(after.map(\.atom)) == Set(before.map(\.atom)))
    #expect(Set(after.map(\.subject)).count == 1 && Set(after.map(\.subject)) != Set(before.map(\.subject)))
  }
}
