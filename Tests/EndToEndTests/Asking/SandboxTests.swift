import Foundation
import TerminalTesting
import Testing

@Suite("A program in a sandbox that holds only the socket to ask at", .timeLimit(.minutes(5)))
struct SandboxTests {
  private let home: AskingHome

  init() throws { home = try AskingHome() }

  /// Returns a command line inside of bubblewrap, with the system's files, no home, and only one of the broker's
  /// sockets.
  private func inside(_ arguments: String...) async throws -> [String] {
    try await [
      "bwrap", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib",
      "--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "--dir", "/tmp",
      "--ro-bind", BuiltProgram.path, "/tmp/permtui", "--bind", home.sockets + "/ask", "/tmp/sockets/ask",
      "--ro-bind", home.folder.file("Pictures"), "/tmp/home/Pictures", "--unshare-user", "--unshare-pid",
      "--clearenv", "--setenv", "HOME", "/tmp/home", "--setenv", "PATH", "/usr/bin:/tmp",
      "--setenv", "LC_ALL", "C.UTF-8", "--setenv", "PERMTUI_SOCKETS", "/tmp/sockets",
    ] + libraries() + arguments
  }

  /// Returns the folder of this build's Swift libraries, unless the sandbox has them already.
  private func libraries() async throws -> [String] {
    let linked = try await home.run(["ldd", BuiltProgram.path]).output.split(separator: "\n")
    let core = linked.first { $0.contains("libswiftCore.so") }?.split(separator: " ").dropFirst(2).first
    guard let core else { return [] }
    let folder = URL(filePath: String(core)).deletingLastPathComponent().path(percentEncoded: false)
    return ["--ro-bind", folder, "/tmp/swift", "--setenv", "LD_LIBRARY_PATH", "/tmp/swift"]
  }

  /// Whether this machine lets bubblewrap make a sandbox.
  private func canSandbox() async throws -> Bool {
    let run = try await home.run(["bwrap", "--ro-bind", "/", "/", "--unshare-user", "--unshare-pid", "true"])
    if run.ending != .exited(0) {
      print("Skipped, as bubblewrap cannot make a sandbox here: \(run.messages)")
    }
    return run.ending == .exited(0)
  }

  @Test("is not asked about on the terminal that it was handed", arguments: [true, false])
  func terminal(isNumberedAnew: Bool) async throws {
    let broker = try home.broker()
    guard try await canSandbox() else { return }
    try home.write("permtui request photos --as backup\n:\n", to: "backup.sh")
    let script = home.folder.file("bin/backup.sh")
    var command = try await inside("--ro-bind", script, "/tmp/backup.sh", "bash", "/tmp/backup.sh")
    if !isNumberedAnew { command.removeAll { $0 == "--unshare-pid" } }
    let session = try home.terminal(command)
    try session.expect("waiting for an answer")
    let ids = try await home.waitingIDs(1)
    #expect(!session.picture.contains("asks to"))
    _ = try await home.answer(ids[0], "deny")
    try session.expect("denied")
    _ = try session.waitForEnd()
    withExtendedLifetime(broker) {}
  }

  @Test("asks as the recipe of the documentation says")
  func recipe() async throws {
    let broker = try home.broker()
    guard try await canSandbox() else { return }
    let page = try String(contentsOfFile: Repository.path("docs/recipes.md"), encoding: .utf8)
    let section = page.components(separatedBy: "## Ask from inside a sandbox\n").last ?? ""
    let code = section.components(separatedBy: "```").dropFirst().first?.drop { $0 != "\n" } ?? ""
    // Unlike the installed program, this build needs Swift's libraries.
    let added = try await libraries().joined(separator: " ") + " --proc"
    let line = String(code).replacing("$XDG_RUNTIME_DIR/permtui", with: home.sockets).replacing(
      "--proc", with: added
    )
    .replacing("$(command -v permtui)", with: BuiltProgram.path)
    .replacing("--ro-bind tool.sh", with: "--ro-bind \(home.folder.file("bin/tool.sh"))")
    try home.write("permtui request photos --as tool --wait 60\n", to: "tool.sh")
    async let asking = home.run(["bash", "-c", line])
    let ids = try await home.waitingIDs(1)
    _ = try await home.answer(ids[0], "deny")
    let run = try await asking
    #expect(run.ending == .exited(1), "\(run.messages)")
    withExtendedLifetime(broker) {}
  }

  @Test("is marked, asked about as a program of its own, and can do nothing else")
  func sandboxed() async throws {
    let broker = try home.broker()
    guard try await canSandbox() else { return }
    let request = "permtui request photos --as backup\n"
    try home.write(request + request + ":\n", to: "backup.sh")
    #expect(try await home.permtui("allow", "backup", "camera").ending == .exited(0))
    let script = home.folder.file("bin/backup.sh")
    let command = try await inside("--ro-bind", script, "/tmp/backup.sh", "bash", "/tmp/backup.sh")
    async let asking = home.run(command)
    // If a program could not even start, its outcome explains why.
    guard let ids = try? await home.waitingIDs(1) else {
      let run = try await asking
      Issue.record("nothing asked: \(run.ending) \(run.output) \(run.messages)")
      return
    }
    let pending = try await home.permtui("pending", "--json").output
    #expect(pending.contains("\"sandboxed\":true"), "\(pending)")
    #expect(pending.contains("\"path\":\"/tmp/backup.sh\""), "\(pending)")
    let answer = try await home.answer(ids[0], "allow", "--for", "8h")
    #expect(answer.ending == .exited(0), "\(answer.messages)")
    // The kept answer is for the program in this sandbox, while it lasts.
    let run = try await asking
    #expect(run.output == "allowed\nallowed\n", "\(run.messages)")
    #expect(try await home.permtui("status", "photos").ending == .exited(1))
    async let again = home.run(command)
    let second = try await home.waitingIDs(1)
    #expect(try await home.answer(second[0], "deny", "--for", "8h").ending == .exited(0))
    #expect(try await again.output == "denied\ndenied\n")
    let outside = try await home.permtui("why", script, "photos")
    #expect(outside.ending == .exited(3), "\(outside.output)")
    for forbidden in [["pending"], ["allow", "backup", "camera"], ["undo"], ["log"]] {
      let refused = try await home.run(inside("permtui") + forbidden)
      #expect(refused.ending != .exited(0), "\(forbidden) \(refused.output)")
      #expect(refused.messages.contains("no broker is running"), "\(refused.messages)")
    }
    withExtendedLifetime(broker) {}
  }
}
