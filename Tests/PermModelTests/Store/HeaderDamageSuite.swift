import Foundation
import Machine
import PermModelTesting
import Testing
import Waiting

@testable import PermModel

@Suite("Damage of the file's header", .usesOneThread)
struct HeaderDamageTests {
  private let world = FixedEnvironment()
  /// The bytes of a whole store, without a log, and the decisions in it.
  private let whole: [UInt8]
  private let kept: [Decision]

  init() throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(path: folder.storePath, environment: world.environment)
    let atom = Atom("files", "read", .path(try AbsolutePath("/srv/ä")))
    kept = try store.decide(Ruling(.allow, subject: backup, atoms: [photos, atom]), by: here)
    _ = try PlainWriter(path: folder.storePath).number("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = try Files.bytes(of: folder.storePath)
  }

  /// The outcome of opening, reading and changing a damaged file.
  private enum Outcome: Equatable {
    /// All content is there, and a change leaves a file whose pages fit together.
    case right
    case refused(StoreError)
    case wrong(String)
  }

  private func outcome(of bytes: [UInt8], in folder: TestFolder) throws -> Outcome {
    try Files.make(folder.storePath, bytes)
    do {
      let store = try SQLiteStore(path: folder.storePath, environment: world.environment)
      guard try store.decisions() == kept else { return .wrong("other decisions") }
      try store.decide(Ruling(.deny, subject: thumbs, atoms: [photos]), by: here)
      let writer = try PlainWriter(path: folder.storePath)
      let mode = try writer.text("PRAGMA journal_mode")
      guard mode == "wal" else { return .wrong("mode \(mode ?? "")") }
      let finding = try writer.text("PRAGMA integrity_check(1)")
      return finding == "ok" ? .right : .wrong(finding ?? "")
    } catch let error as StoreError {
      let isUntouched = try Files.bytes(of: folder.storePath) == bytes
      return isUntouched ? .refused(error) : .wrong("changed, though refused: \(error)")
    }
  }

  private func isWorded(_ error: StoreError) -> Bool {
    switch error {
    case .damaged, .newerVersion, .wrongKind: true
    default: false
    }
  }

  @Test("Each damaged byte of the header does no harm, or is told as what it is", arguments: 0..<100)
  func bytes(_ place: Int) throws {
    for change in [0, 1, 2, 5, 0x7F, 0xFF, whole[place] ^ 1, whole[place] ^ 0x80] where change != whole[place]
    {
      let folder = try TestFolder()
      try Folder.make(folder.path + "/permtui")
      var bytes = whole
      bytes[place] = change
      switch try outcome(of: bytes, in: folder) {
      case .right: continue
      case .refused(let error):
        #expect(isWorded(error), "byte \(place) = \(change): \(error)")
        let checkup = StoreCheckup(path: folder.storePath, now: world.wall)
        #expect(
          checkup.findings.contains { $0.level == .problem }, "byte \(place) = \(change): doctor is silent")
      case .wrong(let what): Issue.record("byte \(place) = \(change): \(what)")
      }
    }
  }
}
