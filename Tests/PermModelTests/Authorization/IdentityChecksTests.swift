import PermModelTesting
import Testing

@testable import PermModel

@Suite("The kept identity checks of the programs that wait")
struct IdentityChecksTests {
  private let box: StoreBox
  private var checks = IdentityChecks()

  private static let known = Subject(
    label: "backup", path: "/home/ana/backup.sh", file: FileIdentity(inode: 1, birth: 1))
  /// A label that looks like the known one.
  private static let alike = Subject(
    label: "b\u{430}ckup", path: "/tmp/backup", file: FileIdentity(inode: 2, birth: 2))
  private static let other = Subject(
    label: "sync", path: "/usr/bin/sync", file: FileIdentity(inode: 3, birth: 3))

  init() throws {
    box = try StoreKind.memory.make()
    try checks.check(Self.requests, after: [], in: box.store)
  }

  private static let requests = [known, alike, other].map { subject in
    Request(
      id: Request.ID(subject.label), subject: subject, capability: "photos", atoms: [photos],
      askedAt: Timestamp(seconds: 0),
      evidence: Evidence(process: FixedEnvironment.process, program: subject.path ?? ""))
  }

  private var found: [IdentityCheck?] { Self.requests.map { checks[$0.subject] } }

  /// Changes the store, and returns what was journalled.
  private func entries(_ change: (any PermissionStore) throws -> Void) throws -> [JournalEntry] {
    let position = try box.store.overview().position
    try change(box.store)
    return try box.store.journal(.all, .newer(than: position, 100))
  }

  @Test("An answer changes the checks of its own label and of those that look like it")
  mutating func answered() throws {
    #expect(found == [.firstTime, .firstTime, .firstTime])
    let entries = try entries { store in
      try store.decide(Ruling(.allow, subject: Self.known, atoms: [photos]), by: here)
    }
    try checks.check(Self.requests, after: entries, in: box.store)
    #expect(found == [.asSeen, .lookAlike(of: "backup"), .firstTime])
  }

  @Test("No check is made again because a request comes, is set aside or ends")
  mutating func waiting() throws {
    try box.store.decide(Ruling(.allow, subject: Self.known, atoms: [photos]), by: here)
    let request = try #require(Self.requests.first)
    let entries = try entries { store in
      try store.open(request)
      try store.setAside(request.id, true, by: here)
      try store.close(request.id, .dismissed, by: here)
    }
    #expect(Set(entries.map(\.kind)) == [.asked, .setAside, .dismissed])
    try checks.check(Self.requests, after: entries, in: box.store)
    #expect(found == [.firstTime, .firstTime, .firstTime])
  }

  @Test("A program that no longer waits is forgotten")
  mutating func gone() throws {
    try checks.check([], after: [], in: box.store)
    #expect(found == [nil, nil, nil])
    try box.store.decide(Ruling(.allow, subject: Self.known, atoms: [photos]), by: here)
    try checks.check(Self.requests, after: [], in: box.store)
    #expect(found.first == .asSeen)
  }

  @Test("An entry about no program makes all of them again")
  mutating func aboutAll() throws {
    try box.store.decide(Ruling(.allow, subject: Self.known, atoms: [photos]), by: here)
    let entry = JournalEntry(at: Timestamp(seconds: 0), kind: .restored)
    try checks.check(Self.requests, after: [entry], in: box.store)
    #expect(found.first == .asSeen)
  }
}
