import Foundation
import TerminalTesting

/// A home with a broker, an ssh agent and a key that must be confirmed. All of them end with this object.
final class SSHPlace: Sendable {
  let home: AskingHome
  let askpass: String
  let fingerprint: String
  /// They are only kept alive here, and used by nobody.
  private nonisolated(unsafe) let sessions: [TerminalSession]

  static let comment = "ana@laptop"

  init(comment: String = SSHPlace.comment, hasBroker: Bool = true) async throws {
    home = try AskingHome()
    askpass = home.folder.file("bin/permtui-askpass")
    try FileManager.default.createSymbolicLink(atPath: askpass, withDestinationPath: BuiltProgram.path)
    var sessions = hasBroker ? [try home.broker()] : []
    let agent = home.folder.file("agent")
    sessions.append(
      try home.terminal(
        "SSH_ASKPASS=\(askpass)", "SSH_ASKPASS_REQUIRE=force", "ssh-agent", "-D", "-a", agent))
    self.sessions = sessions
    try await Self.waitForFile(agent)
    let key = home.folder.file("key")
    _ = try await home.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", key])
    _ = try await home.run(["ssh-add", "-q", "-c", key], environment: ["SSH_AUTH_SOCK": agent])
    let listed = try await home.run(["ssh-keygen", "-l", "-f", key]).output
    fingerprint = String(listed.split(separator: " ").dropFirst().first ?? "")
    try "text\n".write(toFile: home.folder.file("text"), atomically: false, encoding: .utf8)
  }

  /// The variables with which programs reach the agent, and with which ssh asks here.
  var environment: [String: String] {
    [
      "SSH_AUTH_SOCK": home.folder.file("agent"), "SSH_ASKPASS": askpass, "SSH_ASKPASS_REQUIRE": "force",
    ]
  }

  func run(_ arguments: String..., adding added: [String: String] = [:]) async throws -> ProcessRun {
    try await home.run(arguments, environment: environment.merging(added) { $1 })
  }

  /// Signs a file with the key in the agent.
  func sign() async throws -> ProcessRun {
    try? FileManager.default.removeItem(atPath: home.folder.file("text.sig"))
    return try await run(
      "ssh-keygen", "-Y", "sign", "-n", "file", "-f", home.folder.file("key.pub"), home.folder.file("text"))
  }

  /// Asks as ssh or its agent does.
  func ask(_ text: String, kind: String? = nil, adding: [String: String] = [:]) async throws -> ProcessRun {
    let kind = kind.map { ["SSH_ASKPASS_PROMPT": $0] } ?? [:]
    return try await run(askpass, text, adding: kind.merging(adding) { $1 })
  }

  /// The agent's question about the key.
  var keyQuestion: String { "Allow use of key \(Self.comment)?\nKey fingerprint \(fingerprint)." }

  static func waitForFile(_ path: String) async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while !FileManager.default.fileExists(atPath: path) {
      guard ContinuousClock.now < deadline else { throw CocoaError(.fileNoSuchFile) }
      await Task.yield()
    }
  }
}
