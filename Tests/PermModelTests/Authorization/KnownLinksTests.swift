import Foundation
import Machine
import PermModelTesting
import Testing

@testable import PermModel

@Suite("A program that is known by a link")
struct KnownLinksTests {
  private let folder: ScratchFolder
  private let store: SQLiteStore

  init() throws {
    folder = try ScratchFolder()
    for name in ["state", "versions", "other"] { try folder.folder(name) }
    for name in ["versions/1.0", "versions/1.1", "other/1.1"] { try folder.file(name) }
    folder.link("claude", to: folder("versions/1.1"))
    chmod(folder("state"), 0o700)
    store = try SQLiteStore(path: folder("state/decisions.db"), environment: .linux(sessionFolder: nil))
  }

  private func record(_ link: String) throws {
    try Files.make(folder("state/\(KnownLinks.fileName)"), (folder(link) + "\n").utf8)
    chmod(folder("state/\(KnownLinks.fileName)"), 0o600)
  }

  private func program(_ path: String) -> Subject {
    let file = folder(path)
    return Subject(label: "claude", path: file, file: FileIdentity(ofFileAt: file))
  }

  private func check(_ path: String) throws -> IdentityCheck {
    let subject = program(path)
    return try IdentityCheck(
      of: Request(
        id: Request.ID(path), subject: subject, capability: "photos", atoms: [photos],
        askedAt: Timestamp(seconds: 0),
        evidence: Evidence(process: FixedEnvironment.process, program: folder(path))), in: store)
  }

  @Test("The file to which the link leads now is a replaced one, even if the earlier file is gone")
  func replaced() throws {
    try store.decide(Ruling(.allow, subject: program("versions/1.0"), atoms: [photos]), by: .commandLine)
    #expect(try check("versions/1.1") == .mismatch(seenBefore: folder("versions/1.0")))
    try record("claude")
    #expect(try check("versions/1.1") == .replaced)
    unlink(folder("versions/1.0"))
    #expect(try check("versions/1.1") == .replaced)
  }

  @Test("A file beside the link, or outside of the earlier one's folder, is another program")
  func others() throws {
    try record("claude")
    try store.decide(Ruling(.allow, subject: program("other/1.1"), atoms: [photos]), by: .commandLine)
    #expect(try check("versions/1.1") == .mismatch(seenBefore: folder("other/1.1")))
    #expect(try check("versions/1.0") == .mismatch(seenBefore: folder("other/1.1")))
  }

  @Test("A list that others can write has no effect")
  func writable() throws {
    try record("claude")
    chmod(folder("state/\(KnownLinks.fileName)"), 0o622)
    #expect(store.knownLinks == KnownLinks())
  }
}
