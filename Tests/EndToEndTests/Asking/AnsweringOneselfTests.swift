import Foundation
import TerminalTesting
import Testing

@Suite("A program that asks cannot answer", .timeLimit(.minutes(5)))
struct AnsweringOneselfTests {
  private let home: AskingHome

  init() throws { home = try AskingHome() }

  @Test(
    "A script that waits is refused what a person may do, also by what it starts",
    arguments: [
      "permtui answer \"$id\" allow --digest \"$digest\"", "permtui allow backup photos",
      "permtui deny other camera", "permtui import \"$HOME/exported\"",
      "setsid bash -c 'permtui allow backup photos; true'",
      "script -qec 'permtui allow backup photos' /dev/null",
    ])
  func script(_ attempt: String) async throws {
    let broker = try home.broker()
    _ = try await home.permtui("allow", "other", "camera")
    _ = try await home.permtui("export", "\(home.folder.path)/exported")
    _ = try await home.permtui("forget", "other")
    try home.write(
      """
      #!/bin/bash
      permtui request photos --as backup 2>/dev/null &
      field() { permtui pending --json | sed -n 's/.*"'"$1"'":"\\([^"]*\\)".*/\\1/p'; }
      until id=$(field id) && [ -n "$id" ]; do :; done
      digest=$(field digest)
      \(attempt) 2>&1
      permtui pending
      kill $!
      """, to: "eager")
    let run = try await home.run(["eager"])
    #expect(run.output.contains("backup has a request waiting"), "\(run.output) \(run.messages)")
    #expect(run.output.contains("answer from another terminal"))
    #expect(try await !home.permtui("status", "photos").output.contains("allowed  backup"))
    #expect(try await !home.permtui("status", "camera").output.contains("other"))
    let log = try await home.permtui("log", "--kind", "refused").output
    #expect(log.contains("while its own request waits"), "\(log)")
    withExtendedLifetime(broker) {}
  }

  @Test("A dashboard shows the attempt in red")
  func red() async throws {
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("listening")
    try home.write(
      """
      #!/bin/bash
      permtui request photos --as backup &
      until permtui pending >/dev/null; do :; done
      permtui allow backup photos
      kill $!
      """, to: "eager")
    let run = try await home.run(["eager"])
    #expect(run.messages.contains("has a request waiting"), "\(run.messages)")
    // Its own alert disappeared with it.
    try dashboard.expect("\"backup\" tried to use Allow while its own request waits, and was refused")
  }

  @Test("Beside a script in the background, a dashboard and a command from the same shell answer")
  func sameShell() async throws {
    let broker = try home.broker()
    try home.write("#!/bin/bash\npermtui request photos --as backup\n:\n", to: "backup.sh")
    let shell = try home.terminal("bash", "--norc", "-i")
    shell.type("backup.sh > \"$HOME/one\" 2>&1 &\r")
    let one = try await home.pending(1)[0]
    shell.type("permtui answer \(one.id) allow --digest \(one.digest); echo ended $?\r")
    try shell.expect("ended 0")
    shell.type("clear; kill -9 %1\r")
    try shell.expectGone("ended 0")
    shell.type("backup.sh > \"$HOME/two\" 2>&1 & permtui\r")
    try shell.expect("backup asks to") { $0.contains("asks to read your photos") && $0.isArmed }
    shell.type("d")
    try shell.expect("no request") { !$0.contains("asks to read your photos") }
    shell.type("q")
    withExtendedLifetime(broker) {}
  }

  @Test("From another namespace nothing is changed, though it holds the socket")
  func elsewhere() async throws {
    let broker = try home.broker()
    let unshare = ["unshare", "--user", "--map-root-user"]
    let canUnshare = try await home.run(unshare + ["true"])
    guard canUnshare.ending == .exited(0) else {
      print("Skipped, as no namespace can be made here: \(canUnshare.messages)")
      return
    }
    let run = try await home.run(unshare + ["permtui", "allow", "backup", "photos"])
    #expect(run.ending != .exited(0))
    #expect(run.messages.contains("in another user namespace than the broker"), "\(run.messages)")
    let look = try await home.run(unshare + ["permtui", "log", "--kind", "refused"])
    #expect(look.output.contains("tried to use Allow from another user namespace"), "\(look.messages)")
    withExtendedLifetime(broker) {}
  }
}
