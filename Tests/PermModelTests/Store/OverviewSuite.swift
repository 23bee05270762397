import Machine
import PermModelTesting
import Testing
import Waiting

@testable import PermModel
@testable import StoreWriter

@Suite("Overview, pages and the journal")
struct OverviewTests {
  @Test("Programs are counted, not decisions, and ended ones do not count", arguments: StoreKind.allCases)
  func counts(_ kind: StoreKind) throws {
    let box = try kind.make()
    let both: Set<Atom> = [photos, Atom("photos", "add-only")]
    try box.store.decide(
      [
        Ruling(.allow, subject: backup, atoms: both),
        Ruling(.allow, subject: thumbs, atoms: both, lifetime: .duration(.seconds(10))),
        Ruling(.deny, subject: Subject(label: "curl"), atoms: [photos]),
        Ruling(.deny, subject: backup, atoms: [Atom("camera")]),
      ], by: here)
    var photosSummary = try #require(try box.store.overview().capabilities.last)
    #expect(photosSummary.capability == "photos")
    #expect(photosSummary.allowed == 2)
    #expect(photosSummary.denied == 1)
    #expect(photosSummary.firstAllowed.map(\.subject) == [backup, backup, thumbs])
    box.world.pass(.seconds(10))
    photosSummary = try #require(try box.store.overview().capabilities.last)
    #expect(photosSummary.allowed == 1)
    #expect(photosSummary.firstAllowed.map(\.subject) == [backup, backup])
    try box.store.decide(Ruling(.deny, subject: backup, atoms: [photos]), by: here)
    photosSummary = try #require(try box.store.overview().capabilities.last)
    #expect(photosSummary.allowed == 1)
    #expect(photosSummary.denied == 2)
    try box.store.forget(DecisionFilter(capability: "photos"), by: here)
    #expect(try box.store.overview().capabilities.map(\.capability) == ["camera"])
  }

  @Test("Pages follow each other without a gap, in both orders", arguments: StoreKind.allCases)
  func pages(_ kind: StoreKind) throws {
    let box = try kind.make()
    for number in 0..<40 {
      let lifetime: LifetimeChoice = number % 3 == 0 ? .duration(.seconds(5)) : .forever
      let ruling = Ruling(
        number % 2 == 0 ? .allow : .deny, subject: Subject(label: "p\(number % 20)"),
        atoms: [Atom(number < 20 ? "photos" : "camera")], lifetime: lifetime)
      try box.store.decide(ruling, by: here)
    }
    box.world.pass(.seconds(5))
    for order in DecisionOrder.allCases {
      let all = try box.store.decisions(DecisionFilter(), order: order, after: nil, limit: .max)
      #expect(all.count == 26)
      var paged: [Decision] = []
      while true {
        let page = try box.store.decisions(DecisionFilter(), order: order, after: paged.last, limit: 3)
        if page.isEmpty { break }
        #expect(page.count == 3 || paged.count + page.count == all.count)
        paged += page
      }
      #expect(paged == all)
    }
    let programs = try box.store.programs(after: nil, limit: .max)
    #expect(try box.store.programs(after: programs[4].subject, limit: 3) == Array(programs[5...7]))
  }

  @Test("The journal is read from both ends and filtered", arguments: StoreKind.allCases)
  func journal(_ kind: StoreKind) throws {
    let box = try kind.make()
    let start = box.world.wall
    for number in 0..<10 {
      let subject = number % 2 == 0 ? backup : thumbs
      try box.store.decide(Ruling(.allow, subject: subject, atoms: [photos]), by: here)
      box.world.pass(.seconds(60))
    }
    try box.store.setSuspended(true, by: here)
    func ids(_ filter: JournalFilter, _ page: JournalPage) throws -> [JournalEntry.ID] {
      try box.store.journal(filter, page).map(\.id)
    }
    #expect(try ids(.all, .newest(3)) == [11, 10, 9])
    #expect(try ids(.all, .older(than: 9, 2)) == [8, 7])
    #expect(try ids(.all, .newer(than: 9, 9)) == [10, 11])
    #expect(try ids(JournalFilter(label: "thumbs"), .newest(2)) == [10, 8])
    #expect(try ids(JournalFilter(path: backup.path), .newest(2)) == [9, 7])
    #expect(try ids(JournalFilter(kinds: [.suspended, .undone]), .newest(9)) == [11])
    let hour = JournalFilter(
      capability: "photos", since: start + .seconds(60), until: start + .seconds(240))
    #expect(try ids(hour, .newest(9)) == [4, 3, 2])
  }

  @Test("Old entries are deleted, but nothing that undo needs", .usesOneThread, arguments: StoreKind.allCases)
  func pruned(_ kind: StoreKind) throws {
    let box = try kind.make()
    let answer = AutomaticAnswer(
      .deny, subject: thumbs, capability: "photos", atoms: [photos], reason: "too many requests")
    for number in 0..<1_002 {
      try box.store.decide(Ruling(.allow, subject: Subject(label: "\(number)"), atoms: [photos]), by: here)
    }
    try box.store.record(answer)
    box.world.pass(.seconds(86_400))
    try box.store.record(answer)
    // These are two changes beyond the last thousand, and one automatic answer.
    #expect(try box.store.pruneJournal(before: box.world.wall, limit: 1) == 1)
    #expect(try box.store.journal(.all, .newer(than: 0, 1)).first?.id == 2)
    #expect(try box.store.pruneJournal(before: box.world.wall) == 2)
    #expect(try box.store.journal(.all, .newest(.max)).count == 1_001)
    #expect(try box.store.decisions().count == 1_002)
    for _ in 0..<1_000 { try box.store.undo(by: here) }
    #expect(throws: StoreError.nothingToUndo) { try box.store.undo(by: here) }
  }

  @Test("A program is found by its label and by its path", arguments: StoreKind.allCases)
  func named(_ kind: StoreKind) throws {
    let box = try kind.make()
    var replaced = backup
    replaced.file = FileIdentity(inode: 2, birth: 1)
    for (subject, atom) in [(backup, photos), (replaced, Atom("camera")), (thumbs, photos)] {
      try box.store.decide(Ruling(.allow, subject: subject, atoms: [atom]), by: here)
    }
    #expect(try box.store.subjects(named: "backup") == [backup, replaced])
    #expect(try box.store.subjects(named: "/usr/bin/thumbs") == [thumbs])
    #expect(try box.store.subjects(named: "back").isEmpty)
    let path = try #require(backup.path)
    #expect(try box.store.forget(DecisionFilter(path: path), by: here).count == 2)
  }

  @Test("Both stores answer alike, whatever happens")
  func alike() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    let world = FixedEnvironment()
    let (memory, sqlite) = (try StoreKind.memory.make(world), try StoreKind.sqlite.make(world))
    var (one, other) = (RandomChanges(seed: seed), RandomChanges(seed: seed))
    for step in 0..<400 {
      try one.make(in: memory.store)
      try other.make(in: sqlite.store)
      world.pass(.milliseconds(step % 7))
      if step % 50 == 25 { world.change { $0.session = "session \(step)" } }
      if step % 90 == 45 { world.change { $0.wall = $0.wall + .seconds(-3600) } }
      #expect(try memory.store.overview() == sqlite.store.overview(), "seed \(seed), step \(step)")
      #expect(try memory.store.preview(.undo) == sqlite.store.preview(.undo), "seed \(seed), step \(step)")
    }
    #expect(try memory.store.decisions() == sqlite.store.decisions(), "seed \(seed)")
    let page = JournalPage.newer(than: 0, .max)
    #expect(try memory.store.journal(.all, page) == sqlite.store.journal(.all, page), "seed \(seed)")
    let programs = try memory.store.programs(after: nil, limit: .max)
    #expect(try sqlite.store.programs(after: nil, limit: .max) == programs, "seed \(seed)")
  }
}

@Suite("A store's check-up")
struct CheckupTests {
  private let world = FixedEnvironment()

  private func problems(_ path: String) -> [String] {
    StoreCheckup(path: path, now: world.wall).findings.filter { $0.level == .problem }.map(\.what)
  }

  @Test("A sound store has no problems, and looking makes nothing")
  func sound() throws {
    let folder = try TestFolder()
    #expect(problems(folder.storePath).isEmpty)
    #expect(Folder.names(in: folder.path).isEmpty)
    let store = try SQLiteStore(path: folder.storePath, environment: world.environment)
    try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    try store.backUpIfDue()
    let findings = StoreCheckup(path: folder.storePath, now: world.wall).findings
    #expect(findings.allSatisfy { $0.level == .ok }, "\(findings)")
    #expect(findings.contains { $0.what.contains("1 decisions, 1 journal entries") })
  }

  @Test("Wrong counts, a newer version and no database are problems")
  func unsound() throws {
    let folder = try TestFolder()
    _ = try SQLiteStore(path: folder.storePath, environment: world.environment)
      .decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    let writer = try PlainWriter(path: folder.storePath)
    try writer.execute("UPDATE capabilities SET allowed = 7")
    #expect(problems(folder.storePath).contains { $0.contains("counts of photos") })
    try writer.execute("PRAGMA user_version = 9")
    #expect(problems(folder.storePath).contains { $0.contains("format 9") })
  }
}
