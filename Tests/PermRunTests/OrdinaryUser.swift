import Foundation
import TerminalTesting
import Testing

/// The user as whom the tests start programs behind walls. Root's rights would make the walls look stronger than they are,
/// so root makes an ordinary user for the time of the tests, with a home, copies of the programs, and a FUSE device, since
/// a machine without udev keeps its own for root.
struct OrdinaryUser: Sendable {
  let home: String
  /// The program and the arguments with which a command runs as this user.
  private let prefix: [String]
  let fuse: String
  let number: uid_t
  let group: gid_t

  /// The user of this test process; the reason if there can be none.
  static let shared = Result { try make() }

  /// The reason why programs cannot be started behind walls on this machine; `nil` if they can.
  static let missing: String? = {
    do {
      let user = try shared.get()
      let run = try user.runNow([user.program("permtui-run"), "--alone", "--fuse", user.fuse, "--", "true"])
      return run.status == 0 ? nil : "no walls on this machine: \(run.messages)"
    } catch {
      return "\(error)"
    }
  }()

  private static func make() throws -> OrdinaryUser {
    let programs = ["permtui", "permtui-run"]
    guard getuid() == 0 else {
      let home = NSTemporaryDirectory() + "permtui-walls-\(getpid())"
      let user = OrdinaryUser(home: home, prefix: [], fuse: "/dev/fuse", number: getuid(), group: getgid())
      try user.bring(programs)
      atexit { OrdinaryUser.removeAtEnd() }
      return user
    }
    let name = "\(prefixOfNames)\(getpid())"
    let home = "/var/lib/\(name)"
    removeLeftovers()
    try check(command("useradd", "--create-home", "--skel", "/dev/null", "--home-dir", home, name))
    guard let entry = getpwnam(name)?.pointee else { throw Missing("useradd made no user") }
    let user = OrdinaryUser(
      home: home,
      prefix: ["setpriv", "--reuid=\(entry.pw_uid)", "--regid=\(entry.pw_gid)", "--clear-groups"],
      fuse: home + "/fuse", number: entry.pw_uid, group: entry.pw_gid)
    atexit { OrdinaryUser.removeAtEnd() }
    guard mknod(user.fuse, S_IFCHR | 0o666, makedev(10, 229)) == 0 else { throw Missing("mknod: \(errno)") }
    chmod(user.fuse, 0o666)
    try user.bring(programs)
    return user
  }

  private static func makedev(_ major: dev_t, _ minor: dev_t) -> dev_t { major << 8 | minor }

  private static let prefixOfNames = "permtui-t"

  private static func removeAtEnd() {
    if getuid() == 0 { return remove("\(prefixOfNames)\(getpid())") }
    try? FileManager.default.removeItem(atPath: NSTemporaryDirectory() + "permtui-walls-\(getpid())")
  }

  private static func remove(_ user: String) {
    _ = try? command("userdel", "--remove", "--force", user)
    try? FileManager.default.removeItem(atPath: "/var/lib/\(user)")
  }

  /// Removes the users of test processes that were killed.
  private static func removeLeftovers() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/var/lib")) ?? [] {
      guard name.hasPrefix(prefixOfNames), let process = pid_t(name.dropFirst(prefixOfNames.count)) else {
        continue
      }
      if process == getpid() || kill(process, 0) != 0 { remove(name) }
    }
  }

  /// Copies programs to a place that this user can reach: the clone may lie below root's home.
  private func bring(_ names: [String]) throws {
    try FileManager.default.createDirectory(
      atPath: home + "/bin", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    for name in names { try bring(BuiltProgram.path(of: name), as: name) }
    let scripts = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Programs")
    for script in try FileManager.default.contentsOfDirectory(atPath: scripts.path) {
      try bring(scripts.appending(path: script).path, as: script)
    }
  }

  private func bring(_ file: String, as name: String) throws {
    try FileManager.default.copyItem(atPath: file, toPath: program(name))
    // The files of a clone may be for their owner only.
    chmod(program(name), 0o755)
  }

  /// The path of a program or script of the tests.
  func program(_ name: String) -> String { home + "/bin/" + name }

  /// The environment of every program. The libraries of Swift may lie where only root can read.
  var environment: [String: String] {
    ["HOME": home, "PATH": "/usr/bin:/bin:/usr/sbin", "LC_ALL": "C.UTF-8", "TZ": "UTC"]
  }

  /// Returns a command as this user runs it in a folder.
  ///
  /// - Parameter network: The network namespace in which it runs; `nil` for that of the tests.
  func command(_ command: [String], in folder: String, network: String? = nil) -> TestedProgram {
    let namespace = network.map { ["ip", "netns", "exec", $0] } ?? []
    return TestedProgram(
      path: "/usr/bin/env", arguments: ["-C", folder] + namespace + prefix + command,
      environment: environment)
  }

  private func runNow(_ command: [String]) throws -> (status: Int32, messages: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["-C", home] + prefix + command
    process.environment = environment
    let messages = Pipe()
    process.standardError = messages
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  private static func command(_ words: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  private static func check(_ status: Int32) throws {
    guard status == 0 else { throw Missing("cannot make a user for the tests: status \(status)") }
  }

  struct Missing: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
  }
}

extension Trait where Self == ConditionTrait {
  /// Declares that a test starts programs behind walls. On a machine where that is impossible, the test is skipped; if the
  /// variable `CI` is set, it fails.
  static var needsWalls: Self {
    .enabled(
      if: OrdinaryUser.missing == nil || ProcessInfo.processInfo.environment["CI"] != nil,
      "\(OrdinaryUser.missing ?? "")")
  }
}
