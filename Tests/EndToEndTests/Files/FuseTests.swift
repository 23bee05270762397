import Foundation
import TerminalTesting
import Testing

@Suite(
  "On the file system of another program", .needs("sshfs"), .needs("lowntfs-3g"),
  .enabled("mounting a FUSE file system takes root and /dev/fuse", { await FuseMount.isPossible() }),
  .timeLimit(.minutes(5)))
struct FuseTests {
  private let home: AskingHome

  init() throws {
    home = try AskingHome()
    // The program that asks must not be the one that answers, so it is a program of its own.
    try home.write("#!/bin/bash\npermtui request \"$@\" --as player --wait 60\nexit $?\n", to: "ask.sh")
  }

  @Test(
    "a store keeps what several processes change, and takes the last change back",
    arguments: FuseMount.Kind.allCases)
  func store(kind: FuseMount.Kind) async throws {
    let mount = try await FuseMount(kind, in: TemporaryFolder())
    let store = ["--store", mount.file("permissions.sqlite")]
    let programs = (1...6).map { "program-\($0)" }
    try await withThrowingTaskGroup(of: ProcessRun.self) { group in
      for program in programs {
        group.addTask { [home] in try await home.run([BuiltProgram.path, "allow", program, "photos"] + store)
        }
      }
      for try await run in group { #expect(run.ending == .exited(0), "\(run.messages)") }
    }
    let kept = try await home.run([BuiltProgram.path, "export"] + store)
    for program in programs { #expect(kept.output.contains("\"\(program)\""), "\(kept.output)") }
    let undone = try await home.run([BuiltProgram.path, "undo"] + store)
    #expect(undone.output.contains("undid photos:read"), "\(undone.output) \(undone.messages)")
    let checked = try await home.run([BuiltProgram.path, "doctor"] + store)
    #expect(checked.output.contains("5 decisions"), "\(checked.output)")
  }

  @Test(
    "a path is asked about each time, and a denial holds for every spelling",
    arguments: FuseMount.Kind.allCases)
  func paths(kind: FuseMount.Kind) async throws {
    let mount = try await FuseMount(kind, in: TemporaryFolder())
    let broker = try home.broker()
    for name in ["plain", "secret/key"] { try mount.write(name) }
    _ = try await home.permtui("allow", "player", "files:read@\(mount.path)/")
    _ = try await home.permtui("deny", "player", "files:read@\(mount.file("secret/"))")
    for name in ["secret/key"] + (kind == .ntfs ? ["SECRET/KEY", "secret/Key"] : []) {
      let run = try await ask(mount.file(name))
      #expect(run.ending == .exited(1), "\(name): \(run.messages)")
      #expect(try await why(mount.file(name)).ending == .exited(1))
    }
    async let asking = ask(mount.file("plain"))
    let id = try #require(try await home.pending(1).first?.id)
    let shown = try await home.permtui("pending").output
    #expect(shown.contains("the file system is of a kind that can change what a path means"), "\(shown)")
    #expect(try await home.answer(id, "allow", "--for", "forever").ending != .exited(0))
    #expect(try await home.answer(id, "allow").ending == .exited(0))
    #expect(try await asking.ending == .exited(0))
    let outlook = try await why(mount.file("plain"))
    #expect(
      outlook.ending == .exited(3) && outlook.output.contains("would be asked about"), "\(outlook.output)")
    withExtendedLifetime(broker) {}
  }

  private func ask(_ path: String) async throws -> ProcessRun {
    try await home.run(["ask.sh", "files:read@\(path)"])
  }

  private func why(_ path: String) async throws -> ProcessRun {
    try await home.permtui("why", "player", "files:read@\(path)")
  }
}
