import Foundation
import TerminalTesting
import Testing

@Suite("Which program asks", .timeLimit(.minutes(5)))
struct IdentityTests {
  private static let script = "#!/bin/bash\npermtui request photos --as backup\n:\n"
  private let home: AskingHome

  init() throws { home = try AskingHome() }

  /// Saves a file as editors do: a new file replaces the old one.
  private func save(_ text: String, to name: String) throws {
    let path = home.folder.file("bin/\(name)")
    try home.write(text, to: name + ".new")
    guard rename(path + ".new", path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  @Test("An edited script is asked about in yellow, can be kept, and its answer replaces the old one")
  func edited() async throws {
    let path = try home.write(Self.script, to: "backup.sh")
    #expect(try await home.permtui("allow", "backup@\(path)", "photos").ending == .exited(0))
    #expect(try await home.run([path]).output == "allowed\n")
    try save(Self.script + "# edited\n", to: "backup.sh")
    #expect(try await home.permtui("status", "photos").output.contains("(replaced since)"))
    let why = try await home.permtui("why", "backup", "photos")
    #expect(why.output.contains("its file was replaced since it was decided"), "\(why.output)")

    let dashboard = try home.terminalPermtui()
    try dashboard.expect("PermTUI")
    async let asking = home.run([path])
    try dashboard.expectArmed("backup asks to")
    try dashboard.expect("! replaced")
    try dashboard.expect("This file was replaced")
    #expect(!dashboard.picture.contains("you knew another program"))
    #expect(!dashboard.picture.contains("Off "))
    dashboard.type("6")
    try dashboard.expect("(6)")
    try dashboard.expectArmed("backup asks to")
    dashboard.type("a")
    #expect(try await asking.output == "allowed\n")
    dashboard.pressControl("c")
    try dashboard.waitForEnd()

    #expect(try await home.run([path]).output == "allowed\n")
    let decisions = try await home.permtui("status", "photos").output.split(separator: "\n").dropFirst()
    #expect(decisions.count == 1, "\(decisions)")
    #expect(decisions.first?.contains("replaced") == false)
  }

  @Test("Another program under a known name is named before all else, and can be denied for good")
  func impostor() async throws {
    let path = try home.write(Self.script, to: "backup.sh")
    #expect(try await home.permtui("allow", "backup@\(path)", "photos").ending == .exited(0))
    let other = try home.write(Self.script, to: "other.sh")
    let broker = try home.broker()
    async let asking = home.run([other])
    let ids = try await home.waitingIDs(1)
    let pending = try await home.permtui("pending").output
    #expect(pending.contains("for \"backup\" (~/bin/other.sh)"), "\(pending)")
    #expect(pending.contains("! NOT ~/bin/backup.sh, which you know by this name"), "\(pending)")
    let kept = try await home.answer(ids[0], "allow", "--for", "forever")
    #expect(kept.ending == .exited(64), "\(kept.messages)")
    #expect(try await home.answer(ids[0], "deny", "--for", "forever").ending == .exited(0))
    #expect(try await asking.output == "denied\n")
    #expect(try await home.run([other]).output == "denied\n")
    #expect(try await home.run([path]).output == "allowed\n")
    withExtendedLifetime(broker) {}
  }

  @Test("An allow for a name alone is not for code that is in no file, which is kept for its process at most")
  func fileless() async throws {
    #expect(try await home.permtui("allow", "backup", "photos").ending == .exited(0))
    let broker = try home.broker()
    let code = "import os; os.system('permtui request photos --as backup; true')"
    async let asking = home.run(["python3", "-c", code])
    let ids = try await home.waitingIDs(1)
    let pending = try await home.permtui("pending").output
    #expect(pending.contains("code from its command line, which is in no file"), "\(pending)")
    #expect(try await home.answer(ids[0], "allow", "--for", "forever").ending == .exited(64))
    #expect(try await home.answer(ids[0], "allow", "--for", "process").ending == .exited(0))
    #expect(try await asking.output == "allowed\n")
    // The first program with a file gets it.
    let path = try home.write(Self.script, to: "backup.sh")
    #expect(try await home.run([path]).output == "allowed\n")
    #expect(try await home.permtui("status", "photos").output.contains("~/bin/backup.sh"))
    withExtendedLifetime(broker) {}
  }
}
