import Foundation
import TerminalTesting
import Testing

@Suite("A program asks on its own terminal", .timeLimit(.minutes(5)))
struct OwnTerminalTests {
  private let home: AskingHome

  init() throws {
    home = try AskingHome()
    try home.write(
      """
      #!/bin/bash
      permtui request photos --as backup --reason 'weekly copy' --for 8h && echo GO || echo "NO $?"
      """,
      to: "backup.sh")
  }

  // MARK: Answers

  @Test(
    "A typed word answers and is journalled as what it was, with a broker and without; nothing is kept",
    arguments: [("allow", "GO"), ("deny", "NO 1")], [true, false])
  func answered(_ answer: (word: String, outcome: String), hasBroker: Bool) async throws {
    let broker = hasBroker ? try home.broker() : nil
    let script = try home.terminal("backup.sh")
    try script.expect("Type allow or deny.")
    #expect(script.picture.contains("weekly copy"))
    #expect(script.picture.contains("Suggests: keeping the answer for eight hours"))
    #expect(script.picture.contains("/bin/backup.sh, run by bash"))
    #expect(script.picture.contains("To keep an answer: permtui allow backup photos"))
    #expect(!script.picture.contains("Keep for"))
    let pending = try await home.permtui("pending").output
    #expect(pending.contains("asked on pts/"), "\(pending)")
    script.type("\(answer.word)\r")
    try script.expect(answer.outcome)
    #expect(try script.waitForEnd() == .exit(code: 0))
    let log = try await home.permtui("log").output
    let verdict = answer.word == "allow" ? "allowed" : "denied"
    #expect(log.contains("answered   backup: photos:read, \(verdict), at its own terminal"), "\(log)")
    #expect(!log.contains("withdrawn"), "\(log)")
    #expect(try await home.permtui("status", "photos").ending == .exited(1))
    #expect(try await home.permtui("pending").ending == .exited(1))
    withExtendedLifetime(broker) {}
  }

  @Test("Such an answer is not counted as one that was given before", arguments: [true, false])
  func notCounted(hasBroker: Bool) throws {
    let broker = hasBroker ? try home.broker() : nil
    for _ in 1...2 {
      let script = try home.terminal("backup.sh")
      try script.expect("Type allow or deny.")
      #expect(!script.picture.contains("Before"))
      #expect(script.picture.contains(", first time"))
      script.type("allow\r")
      try script.expect("GO")
      _ = try script.waitForEnd()
    }
    withExtendedLifetime(broker) {}
  }

  @Test("An allow that can do great harm takes its word there, too")
  func severe() throws {
    try home.configure("[capability.deploy]\ntitle = \"Deploy\"\nseverity = \"severe\"\n")
    let request = try home.terminalPermtui("request", "deploy")
    try request.expect("Type allow deploy or deny.")
    request.type("allow\r")
    try request.expect("Type the answer again.")
    #expect(request.picture.contains("Allowing this takes its word: allow deploy."))
    request.type("allow deploy\r")
    #expect(try request.waitForEnd() == .exit(code: 0))
  }

  @Test(
    "A question for a broker elsewhere has the words and the severity of that broker's configuration")
  func elsewhere() throws {
    try home.configure("[capability.deploy]\ntitle = \"Deploy\"\nseverity = \"severe\"\n")
    let broker = try home.broker()
    let other = try AskingHome()
    try other.configure("[capability.deploy]\ntitle = \"Harmless\"\nseverity = \"mild\"\n")
    let request = try other.terminal("PERMTUI_SOCKETS=\(home.sockets)", "permtui", "request", "deploy")
    try request.expect("Type allow deploy or deny.")
    #expect(request.picture.contains("What: Deploy") && !request.picture.contains("Harmless"))
    request.type("allow deploy\r")
    #expect(try request.waitForEnd() == .exit(code: 0))
    withExtendedLifetime(broker) {}
  }

  // MARK: Ends of the question

  @Test("^C ends the program; nothing is allowed, and the request is withdrawn", arguments: [true, false])
  func interrupted(hasBroker: Bool) async throws {
    let broker = hasBroker ? try home.broker() : nil
    let script = try home.terminal("backup.sh")
    try script.expect("Type allow or deny.")
    script.pressControl("c")
    #expect(try script.waitForEnd() == .signal(SIGINT))
    try await expectWithdrawn()
    withExtendedLifetime(broker) {}
  }

  @Test("A window that is closed allows nothing, and the request is withdrawn", arguments: [true, false])
  func hungUp(hasBroker: Bool) async throws {
    let broker = hasBroker ? try home.broker() : nil
    let script = try home.terminal("backup.sh")
    try script.expect("Type allow or deny.")
    script.hangUp()
    _ = try script.waitForEndUnread()
    try await expectWithdrawn()
    withExtendedLifetime(broker) {}
  }

  /// Waits until no request waits any longer, and checks that nothing was allowed.
  private func expectWithdrawn() async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while try await home.permtui("pending").ending == .exited(0), ContinuousClock.now < deadline {}
    let log = try await home.permtui("log").output
    #expect(log.contains("withdrawn") || log.contains("dismissed"), "\(log)")
    #expect(!log.contains("allowed"), "\(log)")
  }

  @Test("The end of the time that it waits allows nothing")
  func timedOut() throws {
    let request = try home.terminalPermtui("request", "photos", "--wait", "1")
    try request.expect("no answer")
    #expect(try request.waitForEnd() == .exit(code: 3))
  }

  @Test("An answer from elsewhere takes the question off", arguments: [true, false])
  func answeredElsewhere(hasBroker: Bool) async throws {
    let broker = hasBroker ? try home.broker() : nil
    let script = try home.terminal("backup.sh")
    try script.expect("Type allow or deny.")
    let ids = try await home.waitingIDs(1)
    let answer = try await home.answer(ids[0], "deny")
    #expect(answer.ending == .exited(0), "\(answer.messages)")
    try script.expect("NO 1")
    #expect(try script.waitForEnd() == .exit(code: 0))
    withExtendedLifetime(broker) {}
  }

  @Test(
    "A decision that is made while the question is on the terminal counts at once", arguments: [true, false])
  func decided(hasBroker: Bool) async throws {
    let broker = hasBroker ? try home.broker() : nil
    let script = try home.terminal("backup.sh")
    try script.expect("Type allow or deny.")
    #expect(try await home.permtui("deny", "backup", "photos").ending == .exited(0))
    try script.expect("NO 1")
    #expect(try script.waitForEnd() == .exit(code: 0))
    withExtendedLifetime(broker) {}
  }

  @Test("A panic while the question is on the terminal denies it")
  func panic() throws {
    let script = try home.terminal("backup.sh")
    try script.expect("Type allow or deny.")
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("asks to read your photos")
    dashboard.press(.escape)
    try dashboard.expectGone("asks to read your photos")
    dashboard.type("!")
    try script.expect("NO 1")
    #expect(try script.waitForEnd() == .exit(code: 0))
  }

  // MARK: Terminals that it may use

  @Test(
    "No question is asked behind redirections, or if that is forbidden",
    arguments: [
      "permtui request photos </dev/null", "permtui request photos 2>$HOME/messages",
      "permtui request photos </dev/null 2>$HOME/messages", "PERMTUI_TTY=never permtui request photos",
      "permtui request photos --queue", "echo | permtui request photos",
    ])
  func forbidden(command: String) async throws {
    let script = try home.terminal("bash", "-c", "\(command); echo \"ended with $?\"")
    let ids = try await home.waitingIDs(1)
    script.type("allow\r")
    let answer = try await home.answer(ids[0], "deny")
    #expect(answer.ending == .exited(0), "\(answer.messages)")
    try script.expect("ended with 1")
    #expect(!script.picture.contains("asks to"))
    #expect(!script.picture.contains("Type allow"))
    let messages = try? String(contentsOfFile: home.folder.file("messages"), encoding: .utf8)
    let said = script.picture.contains(
      "waiting for an answer. Open permtui, or run: permtui answer")
    #expect(said || messages?.contains("waiting for an answer") == true)
  }

  @Test("Two that are in the foreground at once ask one after the other", arguments: [true, false])
  func twoAtOnce(hasBroker: Bool) async throws {
    let broker = hasBroker ? try home.broker() : nil
    try home.write(
      "#!/bin/bash\npermtui request photos --as \"$1\" && echo \"GO $1\" || echo \"NO $1\"\n", to: "one.sh")
    try home.write(
      """
      #!/bin/bash
      exec 4<&0
      mkfifo "$HOME/next"
      one.sh first <&4 &
      read -r line <"$HOME/next"
      one.sh second <&4 &
      wait
      """, to: "both.sh")
    let script = try home.terminal("both.sh")
    try script.expect("Type allow or deny.")
    #expect(script.picture.contains("first asks to"))
    try "go\n".write(toFile: home.folder.file("next"), atomically: false, encoding: .utf8)
    _ = try await home.waitingIDs(2)
    script.type("deny\r")
    try script.expect("NO first")
    try script.expect("the second question") { $0.count(of: "Type allow or deny.") == 2 }
    #expect(script.picture.contains("second asks to"))
    script.type("allow\r")
    try script.expect("GO second")
    #expect(try script.waitForEnd() == .exit(code: 0))
    withExtendedLifetime(broker) {}
  }

  // MARK: Destination of the question

  @Test(
    "The question moves to a dashboard that appears, and comes back when it goes", arguments: [true, false])
  func dashboard(hasBroker: Bool) throws {
    let broker = hasBroker ? try home.broker() : nil
    let script = try home.terminal("backup.sh")
    try script.expect("Type allow or deny.")
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("asks to read your photos")
    try script.expect("a dashboard is open")
    // No program reads this as an answer any longer.
    script.type("allow\r")
    dashboard.signal(SIGTERM)
    _ = try dashboard.waitForEnd()
    try script.expect("the question again") { $0.count(of: "Type allow or deny.") == 2 }
    script.type("deny\r")
    try script.expect("NO 1")
    #expect(try script.waitForEnd() == .exit(code: 0))
    withExtendedLifetime(broker) {}
  }

  @Test("A broker that appears without a dashboard leaves the question on the terminal")
  func brokerAppears() async throws {
    let script = try home.terminal("backup.sh")
    try script.expect("Type allow or deny.")
    let broker = try home.broker()
    try script.expect("the question again") { $0.count(of: "Type allow or deny.") == 2 }
    let pending = try await home.permtui("pending").output
    #expect(pending.contains("asked on pts/"), "\(pending)")
    script.type("allow\r")
    try script.expect("GO")
    _ = try script.waitForEnd()
    let log = try await home.permtui("log").output
    #expect(log.contains("at its own terminal"), "\(log)")
    withExtendedLifetime(broker) {}
  }

  @Test("A line typed before the question could be read does not answer it")
  func typedAhead() throws {
    let script = try home.terminal("backup.sh")
    try script.expect("asks to read")
    script.type("allow\r")
    try script.expect("Type allow or deny.")
    script.type("deny\r")
    try script.expect("NO 1")
    #expect(!script.picture.contains("GO"))
    _ = try script.waitForEnd()
  }

  @Test("Lines that come together answer nothing, whatever they say")
  func pastedLines() throws {
    let script = try home.terminal("backup.sh")
    try script.expect("Type allow or deny.")
    script.type("ls\rallow\rallow\r")
    try script.expect("Ignored")
    try script.expect("Type the answer again.")
    script.type("deny\r")
    try script.expect("NO 1")
    #expect(!script.picture.contains("GO"))
    _ = try script.waitForEnd()
  }
}
