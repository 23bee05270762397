import Foundation
import TerminalTesting
import Testing
import Waiting

/// Programs that try to get out. Each is a case of `Programs/attack.py`, and runs with a folder that is denied, one that may
/// be read and one that may be written.
@Suite("Attacks from inside", .needsWalls, .timeLimit(.minutes(10)))
struct AttackTests {
  /// The names of all cases.
  static let cases: [String] = {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Programs/attack.py")
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", script.path, "list"]
    process.standardOutput = output
    try? process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }()

  @Test("The walls hold", arguments: cases)
  func holds(attack: String) async throws {
    let ground = try await Ground(isAllowed: false)
    let own = ground.file("open/.own/permtui")
    let made = try await ground.outside("sh", "-c", Self.preparation)
    #expect(made.ending == .exited(0), "\(made.messages)")
    mknod(ground.file("open/null"), S_IFCHR | 0o666, 1 << 8 | 3)
    try await ground.decide("allow", "files:write@\(ground.file("open"))/")
    try await ground.decide("allow", "files:read@\(ground.file("look"))/")
    try await ground.decide("deny", "files:write@\(ground.file("look"))/")
    try await ground.decide("deny", "files:read@\(ground.file("secret"))/")
    try await ground.decide("deny", "files:read@\(ground.file("secret"))")
    let (closed, open) = (try HostSockets(), try HostSockets(alsoAt: ground.file("open/host")))
    try await ground.decide("deny", "network:connect@*")
    try await ground.decide("deny", "files:write@\(closed.path)")
    try await ground.decide("deny", "files:write@\(ground.file("open/host"))")
    try await ground.decide("allow", "network:connect@localhost:\(open.port)")
    try await ground.decide("allow", "files:write@\(open.path)")
    let run = try await ground.inside(
      in: ["XDG_STATE_HOME=\(ground.file("open/.own"))"], "python3", ground.user.program("attack.py"), attack,
      "\(closed.port)", closed.path, own, "\(open.port)", open.path)
    #expect(closed.connections == 0)
    #expect(run.output == "held\n", "\(run.messages)")
    try await isUntouched(ground)
  }

  private static let preparation = """
    umask 077; mkdir open look secret open/.own open/.own/permtui open/r
    printf OPEN > open/file; printf LOOK > look/file; printf SECRET > secret/file
    printf '#!/bin/sh\\necho SECRET' > secret/script; chmod 700 secret/script; mkfifo open/pipe
    mkdir open/r/.git; echo 'ref: refs/heads/main' > open/r/.git/HEAD
    """

  /// Looks outside that what was denied is as it was.
  private func isUntouched(_ ground: Ground) async throws {
    let now = try await ground.outside(
      "sh", "-c",
      "cat look/file secret/file; ls secret; stat -c %a look/file; ls open/.own; find . -perm /6000")
    #expect(now.output == "LOOKSECRETfile\nscript\n600\npermtui\n")
    #expect(!FileManager.default.fileExists(atPath: "/tmp/permtui-inside"))
    #expect(!FileManager.default.fileExists(atPath: "/dev/shm/permtui-inside"))
  }
}
