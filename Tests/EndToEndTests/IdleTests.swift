import Foundation
import TerminalTesting
import Testing

/// Tests that nothing runs in a dashboard while nothing happens.
///
/// Each time that a thread goes to sleep is counted by the kernel. Work that is done once, however late on a slow
/// machine, only delays the still span for which a test waits. A timer that runs every second leaves no such span.
@Suite("While nothing happens, no thread wakes up", .timeLimit(.minutes(5)))
struct IdleTests {
  /// The length of the span without any wake-up, longer than the second after which libdispatch looks at its pools.
  private static let span = Duration.milliseconds(2_500)
  /// The time within which such a span must be found. Threads of libdispatch without work end after five seconds.
  private static let patience = Duration.seconds(60)

  private let home: AskingHome

  init() throws {
    home = try AskingHome()
    try home.write("#!/bin/bash\npermtui request photos --as \"$1\" --wait 30\n", to: "ask.sh")
  }

  @Test("in a dashboard that is the broker, with a decision that ends in hours and a command to notify with")
  func dashboard() async throws {
    try configure("[notify]\ncommand = [\"true\"]\nafter = \"1s\"\n")
    #expect(try await home.permtui("allow", "backup", "photos:read", "--for", "8h").ending == .exited(0))
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("listening")
    try await expectStill(dashboard)
  }

  @Test("in a dashboard in which an alert was answered and a view opened")
  func answered() async throws {
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("listening")
    try await answer("a", on: dashboard, saying: "allowed")
    dashboard.type("l")
    try dashboard.expect("allowed")
    try await expectStill(dashboard)
  }

  @Test("in a dashboard that shows the alerts of a broker in another process, or in that broker")
  func attached() async throws {
    let broker = try home.broker()
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("second dashboard")
    try await answer("d", on: dashboard, saying: "denied")
    try await expectStill(dashboard)
    try await expectStill(broker)
  }

  @Test("in a dashboard, of which strace sees no system call", .needs("strace"))
  func traced() async throws {
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("listening")
    try await expectStill(dashboard)
    // A thread without work can still end.
    let deadline = ContinuousClock.now + Self.patience
    var calls: String
    repeat {
      calls = try await self.calls(of: dashboard)
    } while !calls.isEmpty && ContinuousClock.now < deadline
    #expect(calls.isEmpty)
  }

  /// Returns the table of the system calls of a process in one span.
  private func calls(of session: TerminalSession) async throws -> String {
    let file = home.folder.file("calls")
    let trace = try home.terminal("strace", "-f", "-c", "-o", file, "-p", "\(session.process)")
    try trace.expect("attached")
    try await Task.sleep(for: Self.span)
    trace.pressControl("c")
    try trace.expect("detached")
    _ = try trace.waitForEnd()
    return try String(contentsOfFile: file, encoding: .utf8)
  }

  /// Lets a program ask, and answers it with a key.
  private func answer(_ key: String, on dashboard: TerminalSession, saying word: String) async throws {
    async let asking = home.run(["ask.sh", "backup"])
    try dashboard.expectArmed("backup asks to")
    dashboard.type(key)
    #expect(try await asking.output == "\(word)\n")
    try dashboard.expectGone("backup asks to")
  }

  private func configure(_ text: String) throws {
    let folder = home.folder.file(".config/permtui")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: "\(folder)/config.toml", atomically: false, encoding: .utf8)
  }

  private func expectStill(_ session: TerminalSession) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + Self.patience
    var last = try wakeUps(of: session.process)
    var since = clock.now
    while clock.now - since < Self.span {
      try await clock.sleep(for: .milliseconds(100))
      let now = try wakeUps(of: session.process)
      if now != last { (last, since) = (now, clock.now) }
      guard clock.now < deadline else {
        Issue.record("woken again and again: \(last)")
        return
      }
    }
  }

  /// Returns the number of times that each thread of a process has gone to sleep so far.
  private func wakeUps(of process: Int32) throws -> [String: Int] {
    let folder = "/proc/\(process)/task"
    let threads = try FileManager.default.contentsOfDirectory(atPath: folder)
    return threads.reduce(into: [:]) { counts, thread in
      // A thread that ends meanwhile is missing, which is a change, too.
      let status = try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      counts[thread] = line?.split(separator: "\t").last.flatMap { Int($0) }
    }
  }
}
