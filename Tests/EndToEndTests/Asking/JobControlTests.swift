import Foundation
import TerminalTesting
import Testing

@Suite("A program that asks is a job of a shell", .timeLimit(.minutes(5)))
struct JobControlTests {
  private let home: AskingHome

  init() throws {
    home = try AskingHome()
    try home.write(
      "#!/bin/bash\npermtui request photos --as \"backup$1\" && echo GO || echo \"NO $?\"\n", to: "backup.sh")
  }

  private func shell() throws -> TerminalSession {
    let shell = try home.terminal("PS1=ready> ", "bash", "--norc", "--noediting", "-i")
    try shell.expect("ready>")
    return shell
  }

  @Test(
    "Jobs in the background wait and are never stopped, with a broker and without", arguments: [true, false])
  func background(hasBroker: Bool) async throws {
    let broker = hasBroker ? try home.broker() : nil
    let shell = try shell()
    shell.type("backup.sh 1 & backup.sh 2 & backup.sh 3 &\r")
    try shell.expect("three that say how to answer") { $0.count(of: "waiting for an answer") == 3 }
    shell.type("jobs\r")
    try shell.expect("three that run") { $0.count(of: "Running") == 3 }
    #expect(!shell.picture.contains("Stopped"))
    #expect(!shell.picture.contains("asks to"))
    for id in try await home.waitingIDs(3) { _ = try await home.answer(id, "deny") }
    try shell.expect("three answers") { $0.count(of: "NO 1") == 3 }
    withExtendedLifetime(broker) {}
  }

  @Test("Jobs in the background go on when the dashboard quits")
  func dashboardQuits() async throws {
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("listening")
    let shell = try shell()
    shell.type("backup.sh 1 & backup.sh 2 & backup.sh 3 &\r")
    try dashboard.expect("3 waiting")
    dashboard.signal(SIGTERM)
    _ = try dashboard.waitForEnd()
    try shell.expect("three that say how to answer") { $0.count(of: "waiting for an answer") == 3 }
    shell.type("jobs\r")
    try shell.expect("three that run") { $0.count(of: "Running") == 3 }
    #expect(!shell.picture.contains("Stopped"))
    for id in try await home.waitingIDs(3) { _ = try await home.answer(id, "deny") }
    try shell.expect("three answers") { $0.count(of: "NO 1") == 3 }
  }

  @Test("A job that comes to the foreground asks there", arguments: [true, false])
  func comesToForeground(hasBroker: Bool) throws {
    let broker = hasBroker ? try home.broker() : nil
    let shell = try shell()
    shell.type("backup.sh &\r")
    try shell.expect("waiting for an answer")
    shell.type("fg\r")
    try shell.expect("Type allow or deny.")
    shell.type("allow\r")
    try shell.expect("GO")
    withExtendedLifetime(broker) {}
  }

  @Test(
    "^Z takes the question off, the background reads nothing, and fg asks again", arguments: [true, false])
  func stopped(hasBroker: Bool) async throws {
    let broker = hasBroker ? try home.broker() : nil
    let shell = try shell()
    shell.type("backup.sh\r")
    try shell.expect("Type allow or deny.")
    shell.pressControl("z")
    try shell.expect("Stopped")
    shell.type("bg\r")
    try shell.expect("waiting for an answer")
    // If the job read it, the shell would not see it, or the job would be stopped.
    shell.type("allow\r")
    try shell.expect("command not found")
    shell.type("jobs\r")
    try shell.expect("Running")
    shell.type("fg\r")
    try shell.expect("the question again") { $0.count(of: "Type allow or deny.") == 2 }
    shell.type("deny\r")
    try shell.expect("NO 1")
    withExtendedLifetime(broker) {}
  }
}
