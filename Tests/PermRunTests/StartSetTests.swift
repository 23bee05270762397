import Foundation
import TerminalTesting
import Testing
import Waiting

@Suite("The files that a known program reads at its start", .needsWalls, .timeLimit(.minutes(5)))
struct StartSetTests {
  private static let names = [".gitconfig", ".config/git/ignore"]

  /// A home folder with the person's settings for git.
  private func ground(_ names: [String] = names) async throws -> Ground {
    let ground = try await Ground(isAllowed: false)
    for folder in ["home", "home/.config", "home/.config/git"] {
      try FileManager.default.createDirectory(
        atPath: ground.file(folder), withIntermediateDirectories: false)
      chown(ground.file(folder), ground.user.number, ground.user.group)
    }
    for name in names {
      try ground.write("[user]\n\tname = \(name)\n", to: "home/\(name)")
    }
    return ground
  }

  private func read(_ name: String, _ ground: Ground) -> String {
    "files:read@\(ground.file("home/\(name)"))"
  }

  private func start(_ ground: Ground, _ command: String...) throws -> Running {
    let run = [ground.user.program("permtui-run"), "--fuse", ground.user.fuse, "--store", ground.store, "--"]
    return try ground.start(["env", "HOME=\(ground.file("home"))"] + run + command)
  }

  private func group(_ ground: Ground) async throws -> Ground.Pending {
    try await ground.untilPending(Set(Self.names.map { read($0, ground) }))
  }

  @Test("They are asked about in one alert, and a yes holds until the end of the run")
  func allowed() async throws {
    let ground = try await ground()
    let running = try start(ground, "git", "config", "--global", "user.name")
    try await ground.answer(try await group(ground), "allow")
    #expect(try await running.end() == 0)
    #expect(running.output == ".gitconfig\n")
    #expect(try await ground.pending().isEmpty)
  }

  @Test("After a no, the program cannot read them, and nobody is asked again in this run")
  func denied() async throws {
    let ground = try await ground()
    let running = try start(ground, "git", "config", "--global", "user.name")
    try await ground.answer(try await group(ground), "deny")
    #expect(try await running.end() != 0)
    #expect(running.output == "")
    #expect(running.messages.contains("Permission denied"))
  }

  @Test("A file whose group was dismissed is asked about by itself")
  func dismissed() async throws {
    let ground = try await ground()
    let running = try start(ground, "git", "config", "--global", "user.name")
    _ = try await ground.permtui("answer", try await group(ground).id, "dismiss")
    try await ground.answer(try await ground.untilPending(read(".gitconfig", ground)), "allow")
    #expect(try await running.end() == 0)
    #expect(running.output == ".gitconfig\n")
  }

  @Test("A program that ends before it is answered takes the question along")
  func ended() async throws {
    let ground = try await ground()
    let running = try start(ground, "git", "config", "--global", "user.name")
    _ = try await group(ground)
    running.send(SIGKILL)
    _ = try await running.end()
    try await ground.untilNothingWaits()
  }

  @Test("A single file is in no group")
  func single() async throws {
    let ground = try await ground([".gitconfig"])
    let running = try start(ground, "git", "config", "--global", "user.name")
    try await ground.answer(try await ground.untilPending(read(".gitconfig", ground)), "allow")
    #expect(try await running.end() == 0)
  }

  @Test("A program's own file is in its group, and what was kept is not asked about at the next start")
  func kept() async throws {
    let ground = try await ground()
    let own = ground.file("home/codex")
    try ground.write("#!/bin/sh\ncat ~/.gitconfig ~/.config/git/ignore\n", to: "home/codex")
    chmod(own, 0o700)
    let running = try start(ground, own)
    let pending = try await ground.untilPending(
      Set(Self.names.map { read($0, ground) } + ["files:read@\(own)"]))
    try await ground.answer(pending, "allow", "--for", "8h")
    #expect(try await running.end() == 0)
    let again = try start(ground, own)
    #expect(try await again.end() == 0)
    #expect(again.output == running.output)
    #expect(again.messages == "")
  }

  @Test("A file with a password is asked about by itself")
  func passwords() async throws {
    let ground = try await ground(Self.names + [".git-credentials"])
    let running = try start(
      ground, "git", "-c", "credential.helper=store", "credential", "fill")
    #expect(try await group(ground).requirement.count == 2)
    running.send(SIGKILL)
    _ = try await running.end()
  }
}
