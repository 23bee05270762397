import Foundation
import Machine
import PermModel
import Testing

@testable import PermTUI

@Suite("The usual rules for a project")
struct ProjectRulesTests {
  private let trial: ConnectTrial

  init() throws { trial = try ConnectTrial() }

  @discardableResult
  private func run(
    _ step: ConnectionWork.Step, in folder: String = "app", program: ConnectableProgram = .claude,
    from commands: [String]? = nil
  ) throws -> (output: String, messages: String) {
    var places = trial.places
    places.commands = commands ?? places.commands
    places.here = folder.hasPrefix("/") ? folder : trial.path(folder)
    let (data, messages) = (RecordedSink(), RecordedSink())
    _ = try ProjectRules(program: program, places: places, context: trial.context(data, messages)).run(step)
    return (data.text, messages.text)
  }

  private var decisions: [Decision] {
    get throws { try trial.shell.store.decisions() }
  }

  @Test("They are shown first, and nothing is decided")
  func show() throws {
    let run = try run(.show)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(
      lines.first == "allow files:write@~/app/ for claude in ~/app for eight hours", "\(lines)")
    #expect(lines.contains { $0.hasPrefix("allow commands:run@git status") })
    #expect(lines.contains("deny files:read@~/.ssh/ for everyone forever"))
    #expect(!run.output.contains("git push"))
    #expect(!run.output.contains("swift build"))
    #expect(
      run.messages.contains("Nothing is changed yet. 'permtui connect claude --here --write' makes these"),
      "\(run.messages)")
    #expect(try decisions.isEmpty)
  }

  @Test("They are one change, which one undo takes back")
  func undo() throws {
    try run(.write)
    let made = try decisions
    #expect(
      made.filter { $0.verdict == .deny }.allSatisfy { $0.subject.isEveryone && $0.lifetime == .forever })
    let allowed = made.filter { $0.verdict == .allow }
    #expect(
      allowed.allSatisfy { $0.subject.folder?.path == trial.path("app") && $0.subject.label == "claude" })
    #expect(allowed.count { $0.atom.capability == "files" } == 1)
    #expect(
      allowed.count { $0.atom.capability == "commands" } == CommandForm.all.count(where: \.onlyLooks))
    #expect(trial.shell.run("undo").status == 0)
    #expect(try decisions.isEmpty)
  }

  @Test("The eight hours for writing end, and repeating the command renews only them")
  func again() throws {
    try run(.write)
    let count = try decisions.count
    trial.shell.pass(.seconds(3600))
    let second = try run(.write)
    #expect(second.output.split(separator: "\n").count == 1, "\(second.output)")
    #expect(try decisions.count == count)
    trial.shell.pass(.seconds(7 * 3600 + 1))
    #expect(
      trial.shell.run("why", "claude", "files:write@\(trial.home)/app/x", "--in", trial.path("app")).status
        == 0)
    trial.shell.pass(.seconds(3600))
    #expect(
      trial.shell.run("why", "claude", "files:write@\(trial.home)/app/x", "--in", trial.path("app")).status
        == 3)
  }

  @Test("The agent that a link starts is known by the file to which the link leads")
  func link() throws {
    try trial.file("share/versions/1.0", "", mode: 0o755)
    try Folder.make(trial.path(".local/bin"))
    symlink(trial.path("share/versions/1.0"), trial.path(".local/bin/claude"))
    #expect(try run(.write).messages.contains("The rules are for ~/share/versions/1.0."))
    let paths = Set(try decisions.filter { $0.verdict == .allow }.map(\.subject.path))
    #expect(paths == [trial.path("share/versions/1.0")])
  }

  @Test("An agent that the project brings with it, or a link to it, is refused", arguments: [true, false])
  func agentOfProject(isLink: Bool) throws {
    try Folder.make(trial.path("app/.git"))
    try Folder.make(trial.path("app/sub"))
    try Folder.make(trial.path("links"))
    try trial.file("app/bin/claude", "", mode: 0o755)
    if isLink { symlink(trial.path("app/bin/claude"), trial.path("links/claude")) }
    #expect(throws: CommandError.self) {
      try run(.write, in: "app/sub", from: [trial.path(isLink ? "links" : "app/bin")])
    }
    #expect(try decisions.isEmpty)
  }

  @Test("A link that lies in the project is not recorded as known")
  func linkOfProject() throws {
    try trial.file("share/claude", "", mode: 0o755)
    var places = trial.places
    places.commands = [trial.path("app/bin"), trial.path("links")]
    for folder in places.commands {
      try Folder.make(folder)
      symlink(trial.path("share/claude"), "\(folder)/claude")
    }
    let run = try trial.run(.claude, .write, places: places)
    #expect(KnownLinks(inFolder: places.state).paths == [trial.path("links/claude")])
    #expect(run.messages.contains("\(trial.path("app/bin/claude")) is not recorded"))
  }

  @Test("Codex gets the same forms, with the sentence for AGENTS.md that lets them count")
  func codex() throws {
    let messages = try run(.write, program: .codex).messages
    let forms = try decisions.filter { $0.atom.capability == "commands" }
    #expect(forms.count == CommandForm.all.count(where: \.onlyLooks))
    #expect(
      messages.contains("Begin each command with cd and the absolute path of its folder, followed by &&."))
  }

  @Test("Only the rules that were added are taken back")
  func remove() throws {
    trial.shell.run("allow", "claude", "network:connect@example.org", "--in", trial.path("app"))
    try run(.write)
    try run(.remove)
    let left = try decisions.filter { $0.verdict == .allow }
    #expect(left.map(\.atom.capability) == ["network"])
    #expect(throws: CommandError.self) { try run(.remove) }
  }

  @Test("A folder that holds more than a project, or that others can change, is refused")
  func refused() throws {
    try Folder.make(trial.path("open"))
    try Files.setMode(trial.path("open"), 0o777)
    for folder in ["", "/", "open", trial.home.folderOfPath] {
      #expect(throws: CommandError.self, "\(folder)") {
        try run(.write, in: folder.isEmpty ? trial.home : folder)
      }
    }
    #expect(try decisions.isEmpty)
  }
}
