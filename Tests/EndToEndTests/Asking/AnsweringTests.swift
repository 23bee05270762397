import Foundation
import TerminalTesting
import Testing

@Suite("Answering from any other terminal", .timeLimit(.minutes(5)))
struct AnsweringTests {
  private let home: AskingHome

  init() throws {
    home = try AskingHome()
    try home.write("#!/bin/bash\npermtui request photos --as backup\n", to: "backup.sh")
  }

  @Test(
    "The walk asks about what waits, with a broker and without, and ends when nothing waits",
    arguments: [true, false])
  func walk(hasBroker: Bool) async throws {
    let broker = hasBroker ? try home.broker() : nil
    async let asking = home.run(["backup.sh"])
    _ = try await home.waitingIDs(1)
    let walk = try home.terminalPermtui("answer", isDumb: true)
    try walk.expect("Answer:")
    #expect(walk.picture.contains("Name: \"backup\""))
    walk.type("allow 4\r")
    try walk.expect("Nothing waits now.")
    #expect(try walk.waitForEnd() == .exit(code: 0))
    let run = try await asking
    #expect(run.output == "allowed\n", "\(run.messages)")
    #expect(try await home.permtui("status", "photos").output.contains("backup"))
    // A shell is not a dashboard.
    #expect(try await home.permtui("why", "backup", "photos").output.contains("by a command"))
    withExtendedLifetime(broker) {}
  }

  @Test(
    "On a capable terminal the walk shows the alert's own box, beside a dashboard, too",
    arguments: [true, false])
  func box(hasDashboard: Bool) async throws {
    let other = hasDashboard ? try home.terminalPermtui() : try home.broker()
    if hasDashboard { try other.expect("listening") }
    async let asking = home.run(["backup.sh"])
    _ = try await home.waitingIDs(1)
    if hasDashboard { try other.expect("backup asks to") }
    let walk = try home.terminalPermtui("answer")
    try walk.expectArmed("backup asks to")
    walk.type("a")
    try walk.expect("Nothing waits now.")
    #expect(try walk.waitForEnd() == .exit(code: 0))
    #expect(walk.leftovers == [])
    #expect(try await asking.output == "allowed\n")
    if hasDashboard { try other.expect("was allowed by a command") }
    #expect(try await home.permtui("log", "--kind", "answered").output.contains("command"))
  }

  @Test(
    "The walk says of each request that it is on another screen, and calls none of its own answers an error",
    arguments: [(false, "d"), (true, "deny\r")])
  func ownAnswers(isDumb: Bool, denial: String) async throws {
    try home.write("#!/bin/bash\npermtui request photos --as thumbs\n", to: "thumbs.sh")
    let other = try home.terminalPermtui()
    try other.expect("listening")
    async let first = home.run(["backup.sh"])
    _ = try await home.waitingIDs(1)
    async let second = home.run(["thumbs.sh"])
    _ = try await home.waitingIDs(2)
    try other.expect("backup asks to")
    let walk = try home.terminalPermtui("answer", isDumb: isDumb)
    for name in ["backup", "thumbs"] {
      if isDumb { try walk.expect("Name: \"\(name)\"") } else { try walk.expectArmed("\(name) asks to") }
      if isDumb { try walk.expect("Answer: ") { $0.lines.last { !$0.isEmpty } == "Answer:" } }
      if name == "backup" { #expect(walk.picture.contains("on the screen of another dashboard, too")) }
      #expect(!walk.picture.contains("Error"))
      walk.type(denial)
    }
    try walk.expect("Nothing waits now.")
    #expect(try walk.waitForEnd() == .exit(code: 0))
    #expect(!walk.picture.contains("Error"), "\(walk.picture)")
    #expect(try await first.ending == .exited(1))
    #expect(try await second.ending == .exited(1))
  }

  @Test("A dashboard that is opened while a request waits says so in its title, and rings")
  func title() async throws {
    let broker = try home.broker()
    async let asking = home.run(["backup.sh"])
    let ids = try await home.waitingIDs(1)
    let dashboard = try home.terminalPermtui()
    try dashboard.wait(for: "the title") { dashboard.title == "PermTUI: 1 waiting" }
    try dashboard.wait(for: "the bell") { dashboard.bells == 1 }
    _ = try await home.answer(ids[0], "deny")
    try dashboard.wait(for: "the title") { dashboard.title == "PermTUI" }
    _ = try await asking
    withExtendedLifetime(broker) {}
  }

  @Test("Lines that were typed before an alert could be read answer none of those that follow")
  func typedAhead() async throws {
    let broker = try home.broker()
    async let first = home.run(["backup.sh"])
    let ids = try await home.waitingIDs(1)
    let walk = try home.terminalPermtui("answer", isDumb: true)
    try walk.expect("asks to read")
    walk.type("allow\r")
    try walk.expect("Answer:")
    walk.type("deny\r")
    try walk.expect("Nothing waits now.")
    #expect(try await first.ending == .exited(1), "\(ids)")
    _ = try walk.waitForEnd()
    withExtendedLifetime(broker) {}
  }

  @Test("With nothing to answer the walk ends at once", arguments: [true, false])
  func nothing(hasBroker: Bool) throws {
    let broker = hasBroker ? try home.broker() : nil
    let walk = try home.terminalPermtui("answer", isDumb: true)
    try walk.expect("Nothing waits now.")
    #expect(try walk.waitForEnd() == .exit(code: 0))
    withExtendedLifetime(broker) {}
  }

  @Test("By its id a request is answered, with a broker and without", arguments: [true, false])
  func byID(hasBroker: Bool) async throws {
    let broker = hasBroker ? try home.broker() : nil
    async let asking = home.run(["backup.sh"])
    let ids = try await home.waitingIDs(1)
    let answer = try await home.answer(String(ids[0].prefix(8)), "allow", "--for", "10m")
    #expect(answer.ending == .exited(0), "\(answer.messages)")
    #expect(try await asking.ending == .exited(0))
    let late = try await home.permtui("answer", ids[0], "deny")
    #expect(late.ending == .exited(1))
    let log = try await home.permtui("log", "--kind", "answered").output
    #expect(log.contains("without a broker") != hasBroker, "\(log)")
    withExtendedLifetime(broker) {}
  }

  @Test(
    "On a terminal the request is shown first, and the answer counts when it is confirmed",
    arguments: [(true, "allow", 0), (false, "allow", 0), (true, "yes", 3), (false, "deny", 3)])
  func confirmed(hasBroker: Bool, typed: String, status: Int32) async throws {
    let broker = hasBroker ? try home.broker() : nil
    async let asking = home.run(["backup.sh"])
    let ids = try await home.waitingIDs(1)
    let terminal = try home.terminalPermtui("answer", ids[0], "allow", "--for", "10m")
    try terminal.expect("Type allow to answer.")
    #expect(terminal.picture.contains("Name: \"backup\""))
    #expect(terminal.picture.contains("Answer: allow, kept for: ten minutes"))
    terminal.type("\(typed)\r")
    #expect(try terminal.waitForEnd() == .exit(code: status))
    if status != 0 { _ = try await home.answer(ids[0], "dismiss") }
    #expect(try await asking.ending == .exited(status))
    withExtendedLifetime(broker) {}
  }

  @Test(
    "Without a terminal and without a digest the request is told, and nothing is answered",
    arguments: [true, false])
  func unread(hasBroker: Bool) async throws {
    let broker = hasBroker ? try home.broker() : nil
    async let asking = home.run(["backup.sh"])
    let ids = try await home.waitingIDs(1)
    let run = try await home.permtui("answer", ids[0], "allow")
    #expect(run.ending == .exited(64))
    #expect(run.messages.contains("backup asks to"), "\(run.messages)")
    #expect(run.messages.contains("--digest"))
    #expect(try await home.waitingIDs(1) == ids)
    let wrong = try await home.permtui(
      "answer", ids[0], "allow", "--digest", String(repeating: "0", count: 64))
    #expect(wrong.ending == .exited(3))
    #expect(wrong.messages.contains("what you saw has changed; look again"), "\(wrong.messages)")
    #expect(try await home.permtui("answer", ids[0], "allow", "--digest", "12").ending == .exited(64))
    #expect(try await home.waitingIDs(1) == ids)
    _ = try await home.answer(ids[0], "deny")
    #expect(try await asking.ending == .exited(1))
    withExtendedLifetime(broker) {}
  }

  @Test("A program that is interrupted while it waits leaves no request behind")
  func withdrawn() async throws {
    try home.write(
      """
      #!/bin/bash
      mkfifo "$HOME/said"
      permtui request photos --as backup 2>"$HOME/said" &
      read -r line <"$HOME/said"
      kill $!
      wait $!
      echo "$? $line"
      """, to: "interrupted.sh")
    let run = try await home.run(["interrupted.sh"])
    #expect(run.output.hasPrefix("143 permtui: waiting"), "\(run.output) \(run.messages)")
    #expect(try await home.permtui("pending").ending == .exited(1))
    #expect(try await home.permtui("log").output.contains("withdrawn"))
  }

  @Test(
    "Changes go through the broker that runs, and the journal tells which did not", arguments: [true, false])
  func changes(hasBroker: Bool) async throws {
    let broker = hasBroker ? try home.broker() : nil
    let watch = try home.terminalPermtui("watch")
    try watch.expect("watching")
    let steps = [
      ["allow", "backup", "photos"], ["deny", "ci", "calendar"], ["undo"],
      ["forget", "backup", "photos:read"],
    ]
    for step in steps {
      let run = try await home.run([BuiltProgram.path] + step)
      #expect(run.ending == .exited(0), "\(step) \(run.messages)")
    }
    #expect(try await home.permtui("undo", "--dry-run").output.contains("would undo photos:read for backup"))
    let log = try await home.permtui("log").output.split(separator: "\n")
    #expect(log.count == 6, "\(log)")
    #expect(log.allSatisfy { $0.contains("without a broker") != hasBroker }, "\(log)")
    try watch.expect("forgotten")
    withExtendedLifetime(broker) {}
  }

  @Test("A wrong command is refused in the same words with a broker and without")
  func refused() async throws {
    let wrong = [
      ["allow", "backup", "fotos"], ["allow", "/no/such/file", "photos"], ["forget", "nobody"], ["undo"],
      ["answer", "1234", "allow"], ["allow", "a\u{202e}b", "photos"], ["allow", "", "photos"],
    ]
    var alone: [ProcessRun] = []
    for arguments in wrong { alone.append(try await home.run([BuiltProgram.path] + arguments)) }
    let broker = try home.broker()
    for (arguments, expected) in zip(wrong, alone) {
      let run = try await home.run([BuiltProgram.path] + arguments)
      #expect(run.ending == expected.ending, "\(arguments)")
      #expect(run.messages == expected.messages)
      #expect(run.ending != .exited(0) && !run.messages.isEmpty, "\(arguments)")
    }
    withExtendedLifetime(broker) {}
  }

  @Test("Watching goes on when the broker goes away")
  func watching() async throws {
    let broker = try home.broker()
    let watch = try home.terminalPermtui("watch", "--json")
    try watch.expect("watching")
    _ = try await home.permtui("allow", "first", "photos")
    try watch.expect("first")
    broker.signal(SIGTERM)
    _ = try broker.waitForEnd()
    _ = try await home.permtui("allow", "second", "photos")
    try watch.expect("second")
    watch.pressControl("c")
    #expect(try watch.waitForEnd() == .signal(SIGINT))
  }
}
