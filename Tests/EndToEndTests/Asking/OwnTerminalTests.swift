import Foundation
import TerminalTesting
import Testing

@Suite("A program asks on its own terminal", .timeLimit(.minutes(2)))
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

  @Test(
    "Without a broker a typed word answers, and nothing is stored",
    arguments: [("allow", "GO"), ("deny", "NO 1")])
  func withoutBroker(word: String, outcome: String) throws {
    let script = try home.terminal("backup.sh")
    try script.expect("Type allow or deny.")
    #expect(script.picture.contains("weekly copy"))
    #expect(script.picture.contains("Suggests keeping the answer for: eight hours"))
    #expect(script.picture.contains("/bin/backup.sh, run by bash"))
    script.type("\(word)\r")
    try script.expect(outcome)
    #expect(try script.waitForEnd() == .exit(code: 0))
    #expect(!FileManager.default.fileExists(atPath: home.store))
  }

  @Test("^C ends the program, and nothing is stored")
  func interrupted() throws {
    let script = try home.terminal("backup.sh")
    try script.expect("Type allow or deny.")
    script.pressControl("c")
    #expect(try script.waitForEnd() == .signal(SIGINT))
    #expect(!FileManager.default.fileExists(atPath: home.store))
  }

  @Test("The end of the time that it waits allows nothing")
  func timedOut() throws {
    let request = try home.terminalPermtui("request", "photos", "--wait", "1")
    try request.expect("no answer")
    #expect(try request.waitForEnd() == .exit(code: 3))
  }

  @Test("With a broker that no dashboard is attached to, the terminal asks until somebody else answers")
  func answeredElsewhere() async throws {
    let broker = try home.broker()
    let script = try home.terminal("backup.sh")
    try script.expect("Type allow or deny.")
    let ids = try await home.waitingIDs(1)
    let answer = try await home.permtui("answer", ids[0], "deny")
    #expect(answer.ending == .exited(0), "\(answer.messages)")
    try script.expect("NO 1")
    _ = try script.waitForEnd()
    broker.signal(SIGTERM)
    #expect(try broker.waitForEnd() == .exit(code: 0))
  }

  @Test("What is typed there answers, and the request is withdrawn from everywhere else")
  func answeredHere() async throws {
    let broker = try home.broker()
    let script = try home.terminal("backup.sh")
    try script.expect("Type allow or deny.")
    script.type("allow\r")
    try script.expect("GO")
    _ = try script.waitForEnd()
    let pending = try await home.permtui("pending")
    #expect(pending.ending == .exited(1), "\(pending.output)")
    withExtendedLifetime(broker) {}
  }

  @Test("What was typed before the question could be read answers nothing")
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
    try script.expect("Not counted")
    try script.expect("Type the answer again.")
    script.type("deny\r")
    try script.expect("NO 1")
    #expect(!script.picture.contains("GO"))
    _ = try script.waitForEnd()
  }
}
