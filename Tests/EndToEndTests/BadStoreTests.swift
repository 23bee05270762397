import Foundation
import TerminalTesting
import Testing

@Suite("A store that cannot be used, through the built program")
struct BadStoreTests {
  private let home: TemporaryFolder
  private let store: String

  init() throws {
    home = try TemporaryFolder()
    store = home.file("permissions.sqlite")
  }

  private func permtui(_ arguments: String...) async throws -> ProcessRun {
    try await ProcessRun.run(
      BuiltProgram.path, arguments,
      environment: BuiltProgram.environment(home: home, ["PERMTUI_STORE": store]))
  }

  /// Checks that reading and changing fail with these words, and that neither harms the file.
  private func expectRefusal(saying words: String) async throws {
    let before = try Data(contentsOf: URL(filePath: store))
    for arguments in [["status"], ["log"], ["allow", "backup", "photos"], ["undo"], ["export"]] {
      let run = try await ProcessRun.run(
        BuiltProgram.path, arguments,
        environment: BuiltProgram.environment(home: home, ["PERMTUI_STORE": store]))
      #expect(run.ending == .exited(2), "\(arguments): \(run.ending) \(run.messages)")
      #expect(run.messages.contains(words), "\(arguments): \(run.messages)")
      #expect(run.messages.hasPrefix("permtui: "))
      #expect(run.output.isEmpty)
    }
    #expect(try Data(contentsOf: URL(filePath: store)) == before)
  }

  @Test("A file that is no database is said to be damaged, and left as it is")
  func damaged() async throws {
    try Data(repeating: 0x5a, count: 9000).write(to: URL(filePath: store))
    chmod(store, 0o600)
    try await expectRefusal(saying: "damaged")
  }

  @Test("A link in the place of the store is not followed")
  func link() async throws {
    try await permtui("allow", "backup", "photos").expectSuccess()
    let target = home.file("elsewhere.sqlite")
    try FileManager.default.moveItem(atPath: store, toPath: target)
    try FileManager.default.createSymbolicLink(atPath: store, withDestinationPath: target)
    try await expectRefusal(saying: "symbolic link")
  }

  @Test("A store from a newer version is refused with both versions named")
  func newer() async throws {
    try await permtui("allow", "backup", "photos").expectSuccess()
    // The position at which SQLite keeps a program's version of its format.
    let file = try FileHandle(forWritingTo: URL(filePath: store))
    try file.seek(toOffset: 60)
    try file.write(contentsOf: [0, 0, 0, 99])
    try file.close()
    try await expectRefusal(saying: "99")
  }

  @Test("Somebody else's store is refused, with the owner's name")
  func wrongOwner() async throws {
    try await permtui("allow", "backup", "photos").expectSuccess()
    guard chown(store, 65534, 65534) == 0 else { return }
    try await expectRefusal(saying: "nobody")
  }

  @Test("A store that cannot be written can be looked at, and says why nothing changes")
  func readOnly() async throws {
    try await permtui("allow", "backup", "photos").expectSuccess()
    let attributes = try FileManager.default.attributesOfItem(atPath: store)
    chmod(store, 0o400)
    // File modes do not stop root, so root becomes a user whom they do stop.
    let asOther = getuid() == 0
    if asOther {
      for path in [home.path]
        + (try FileManager.default.contentsOfDirectory(atPath: home.path).map(home.file))
      {
        chown(path, 65534, 65534)
      }
    }
    let prefix = asOther ? ["setpriv", "--reuid=65534", "--clear-groups"] : []
    func run(_ arguments: String...) async throws -> ProcessRun {
      try await ProcessRun.run(
        "/usr/bin/env", prefix + [BuiltProgram.path] + arguments,
        environment: BuiltProgram.environment(home: home, ["PERMTUI_STORE": store]))
    }
    let status = try await run("status", "photos")
    #expect(status.ending == .exited(0), "\(status.messages)")
    #expect(status.output.contains("backup"))
    let change = try await run("deny", "backup", "photos")
    #expect(change.ending == .exited(2))
    #expect(change.messages.contains("write"), "\(change.messages)")
    #expect(
      try FileManager.default.attributesOfItem(atPath: store)[.size] as? Int == attributes[.size] as? Int)
  }

  @Test("Looking where no store is makes none")
  func missing() async throws {
    for arguments in [["status"], ["log"], ["why", "backup", "photos"], ["undo", "--dry-run"], ["export"]] {
      let run = try await ProcessRun.run(
        BuiltProgram.path, arguments,
        environment: BuiltProgram.environment(home: home, ["PERMTUI_STORE": store]))
      #expect(run.ending != .exited(2), "\(arguments): \(run.messages)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
    let named = try await permtui("status", "--store", home.file("typo.sqlite"))
    #expect(named.ending == .exited(2))
    #expect(named.messages.contains("typo.sqlite"))
  }
}

extension ProcessRun {
  fileprivate func expectSuccess() throws {
    try #require(ending == .exited(0), "\(messages)")
  }
}
