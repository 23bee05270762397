import Foundation
import TerminalTesting

/// Many machines behind one server of ssh: each is a home with a broker, and a key whose forced command leads to it.
///
/// They are known as `w1` and so on, and the person has added them all.
final class MachinePark: Sendable {
  let homes: [AskingHome]
  private let server: MachineServer
  /// They are only kept alive here.
  private nonisolated(unsafe) let brokers: [TerminalSession]

  init(_ count: Int, for person: AskingHome) async throws {
    homes = try (0..<count).map { _ in try AskingHome() }
    server = try await MachineServer(homes[0], bridge: "--as ana")
    brokers = try homes.map { try $0.terminalPermtui("serve") }
    for broker in brokers { try broker.expect("Listening") }
    for number in 2...count { try await addKey(number) }
    try person.lead(to: server, as: "w1")
    try await lead(person)
    try await pin(for: person)
  }

  private var folder: TemporaryFolder { server.home.folder }

  private func key(_ number: Int) -> String { folder.file(number == 1 ? "operator" : "operator\(number)") }

  /// Makes the key of a machine, and the line with its forced command.
  private func addKey(_ number: Int) async throws {
    let made = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key(number)]
    _ = try await server.home.run(made)
    let command = "env " + MachineServer.variables(homes[number - 1]) + " permtui bridge --as ana"
    let line =
      try "restrict,command=\"\(command)\" " + String(contentsOfFile: key(number) + ".pub", encoding: .utf8)
    let file = folder.file("authorized")
    try (String(contentsOfFile: file, encoding: .utf8) + line).write(
      toFile: file, atomically: false, encoding: .utf8)
  }

  /// Makes the person's ssh take the key of each machine.
  private func lead(_ person: AskingHome) async throws {
    let file = person.folder.file("ssh_config")
    let first = try String(contentsOfFile: file, encoding: .utf8)
    let all = homes.indices.map { index in
      first.replacing("Host w1\n", with: "Host w\(index + 1)\n")
        .replacing("IdentityFile \(key(1))\n", with: "IdentityFile \(key(index + 1))\n")
    }
    try all.joined().write(toFile: file, atomically: false, encoding: .utf8)
    try person.configure(homes.indices.map { "[machines.w\($0 + 1)]\n" }.joined())
  }

  /// Writes down ids and host keys, as `permtui machine add` does for one machine after the other.
  private func pin(for person: AskingHome) async throws {
    let words = try String(contentsOfFile: folder.file("host.pub"), encoding: .utf8).split(separator: " ")
    var (ids, keys) = ("", "")
    for (index, home) in homes.enumerated() {
      let call = #"printf '{"method":"io.permtui.Bridge.Hello"}\0' | permtui bridge"#
      let hello = try await home.run(["bash", "-c", call]).output
      guard let id = hello.firstMatch(of: /"machine":"([0-9a-f]{32})"/)?.1 else { throw CancellationError() }
      ids += "w\(index + 1) \(id) 1\n"
      keys += "permtui-w\(index + 1) \(words[0]) \(words[1])\n"
    }
    let folder = person.folder.file(".local/state/permtui")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for (name, text) in ["machines": ids, "machines.hosts": keys] {
      try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: "\(folder)/\(name)")
    }
  }

  /// Lets a program ask on a machine, and returns its run.
  func ask(on number: Int, as program: String = "backup") throws -> Task<ProcessRun, any Error> {
    let home = homes[number - 1]
    let script = try home.write(
      "#!/bin/bash\npermtui request photos --as \(program) --wait 200\n", to: program)
    return Task {
      // It is not started as a program itself: a process that is just being started might still have it open.
      try await ProcessRun.run(
        "/usr/bin/env", ["bash", script], environment: home.environment, limit: .seconds(200))
    }
  }
}
