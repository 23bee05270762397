import Foundation
import TerminalTesting
import Testing

/// A user whose programs hold all inotify instances: a user namespace whose limit is zero.
private struct CrowdedUser: Sendable {
  let home: AskingHome
  private let entrance: [String]

  /// - Parameter holder: A terminal on which the namespace's first process runs.
  private init(_ home: AskingHome, _ holder: TerminalSession) throws {
    try holder.expect("full ")
    let line = holder.picture.lines.first { $0.hasPrefix("full ") } ?? ""
    self.home = home
    entrance = ["nsenter", "-t", String(line.dropFirst("full ".count)), "-U", "--preserve-credentials"]
  }

  /// Returns the user, and a terminal with which the namespace ends.
  static func make() throws -> (user: CrowdedUser, holder: TerminalSession) {
    let home = try AskingHome()
    let script = "echo 0 > /proc/sys/user/max_inotify_instances && echo full $$ && exec sleep 600"
    let holder = try home.terminal(["unshare", "-U", "-r", "sh", "-c", script])
    return (try CrowdedUser(home, holder), holder)
  }

  func run(_ arguments: String...) async throws -> ProcessRun { try await home.run(entrance + arguments) }

  func permtui(_ arguments: String...) async throws -> ProcessRun {
    try await home.run(entrance + [BuiltProgram.path] + arguments)
  }

  func terminal(_ arguments: String...) throws -> TerminalSession { try home.terminal(entrance + arguments) }

  /// Allows programs by importing decisions, as one change.
  func allow(_ names: some Sequence<String>) async throws {
    let decision =
      #""atom":"read","capability":"photos","lifetime":"forever","verdict":"allow","decidedAt":1"#
    let lines = names.map { "{\(decision),\"origin\":\"command-line\",\"program\":\"\($0)\"}" }
    let file = home.folder.file("decisions")
    try ([#"{"format":2,"permtui":"decisions"}"#] + lines).joined(separator: "\n")
      .write(toFile: file, atomically: true, encoding: .utf8)
    let run = try await permtui("import", file)
    #expect(run.ending == .exited(0), "\(run.messages)")
  }

  /// Whether this machine has user namespaces for the user who runs the tests.
  static let canExist = (try? make()) != nil
}

@Suite(
  "While all inotify instances of a user are taken", .timeLimit(.minutes(5)),
  .enabled(if: CrowdedUser.canExist, "user namespaces are not permitted here"))
struct NoInotifyTests {
  private let user: CrowdedUser
  private let holder: TerminalSession

  init() throws { (user, holder) = try CrowdedUser.make() }

  @Test("the dashboard shows what others change, and says in its header and in doctor what is missing")
  func dashboard() async throws {
    let dashboard = try user.terminal(BuiltProgram.path)
    try dashboard.expect("once a second")
    #expect(try await user.permtui("allow", "backup", "photos").ending == .exited(0))
    try dashboard.expect("1 allowed")
    try user.home.configure("[capability.deploy]\ntitle = \"Deployments\"\n")
    try dashboard.expect("Deployments")
    let doctor = try await user.permtui("doctor")
    #expect(doctor.output.contains("fs.inotify.max_user_instances"), "\(doctor.output)")
    dashboard.type("q")
    _ = try dashboard.waitForEnd()
    let dumb = try user.terminal("env", "TERM=dumb", BuiltProgram.path)
    try dumb.expect("Changes are noticed only once a second")
  }

  @Test("an answer by a command reaches the program that waits at the broker")
  func answer() async throws {
    let broker = try user.terminal(BuiltProgram.path, "serve")
    try broker.expect("Listening")
    let user = user
    // A program of its own, as one that asks cannot answer.
    try user.home.write("#!/bin/bash\npermtui request photos --as backup --wait 120\n:\n", to: "asking")
    async let asking = user.run("asking")
    let request = try await user.home.pending(1)[0]
    let answer = try await user.permtui("answer", request.id, "allow", "--digest", request.digest)
    #expect(answer.ending == .exited(0), "\(answer.messages)")
    #expect(try await asking.output == "allowed\n")
  }

  @Test(
    "each of 200 waiting programs gets its answer: most in the store, and the others at the broker that comes"
  )
  func many() async throws {
    let names = (0..<200).map { "waiting-\($0)" }
    for name in names {
      try user.home.write("#!/bin/bash\npermtui request photos --as \(name) --wait 240\n:\n", to: name)
    }
    let start =
      "for name in \(names.joined(separator: " ")); do $name >>$HOME/answers & done 2>/dev/null; wait; echo all ended"
    let programs = try user.terminal("bash", "-c", start)
    // A busy machine starts them slowly.
    for count in stride(from: 20, through: 200, by: 20) { _ = try await user.home.waitingIDs(count) }
    // A family of programs may have 50 alerts at a broker at once.
    try await user.allow(names.prefix(160))
    let broker = try user.terminal(BuiltProgram.path, "serve")
    try broker.expect("Listening")
    try await user.allow(names.dropFirst(160))
    try programs.expect("all ended")
    let answers = try String(contentsOfFile: user.home.folder.file("answers"), encoding: .utf8)
    #expect(answers == String(repeating: "allowed\n", count: 200))
  }
}
