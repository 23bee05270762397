import Machine
import PermModelTesting
import Testing

@testable import PermModel

@Suite("Automatic answers on their way to the journal")
final class AutomaticAnswerBookTests {
  private let world = FixedEnvironment()
  private let clock = ManualClock()
  private let store: WatchedStore

  init() { store = WatchedStore(MemoryStore(environment: world.environment)) }

  private func book() -> AutomaticAnswerBook {
    AutomaticAnswerBook(store) { [clock] in try await clock.sleep(for: $0) }
  }

  private func denial(_ label: String, inode: UInt64 = 1, _ capability: String = "photos") -> AutomaticAnswer
  {
    let subject = Subject(label: label, path: "/usr/bin/flood", file: FileIdentity(inode: inode, birth: 1))
    return AutomaticAnswer(.deny, subject: subject, capability: capability, atoms: [], reason: "muted")
  }

  private let agent = Subject(label: "agent", path: "/usr/bin/agent", file: FileIdentity(inode: 2, birth: 1))

  private func file(_ number: Int, in folder: String = "/src") throws -> Atom {
    Atom("files", "read", .path(try AbsolutePath("\(folder)/\(number)")))
  }

  private func allowFolder(_ folder: String) throws -> [Decision] {
    let atom = Atom("files", "read", .folder(try AbsolutePath(folder)))
    return try store.decide(Ruling(.allow, subject: agent, atoms: [atom]), by: .commandLine)
  }

  private func use(_ decisions: [Decision], _ atom: Atom) -> AutomaticAnswer {
    AutomaticAnswer(
      .allow, subject: agent, capability: atom.capability, atoms: [atom], reason: "decided before",
      decisions: decisions)
  }

  private func entries() throws -> [JournalEntry] {
    try store.journal(JournalFilter(kinds: [.automatic]), .newest(2000)).reversed()
  }

  @Test(
    "A line names the decision that answered and its first 32 values, whether written together or one by one")
  func basis() throws {
    let decisions = try allowFolder("/src")
    let book = book()
    let asked = try (0..<40).map { try file($0) }
    for atom in asked.prefix(20) { book.note(use(decisions, atom)) }
    book.write()
    for atom in asked.dropFirst(15) { book.note(use(decisions, atom)) }
    book.write()
    let entry = try #require(try entries().first)
    #expect(entry.decision == decisions[0].key)
    #expect(entry.values == Array(asked.prefix(32)))
    #expect(entry.count == 45 && entry.atoms == [asked[39]])
  }

  // MARK: Bounds

  @Test("Ten thousand values a second are one line a minute, and two transactions a second at most")
  func values() throws {
    let decisions = try allowFolder("/src")
    let book = book()
    let before = store.writes
    for second in 0..<3 {
      for number in 0..<10_000 { book.note(use(decisions, try file(second * 10_000 + number))) }
      book.write()
      world.pass(.seconds(1))
    }
    #expect(store.writes - before <= 6, "\(store.writes - before) transactions")
    let entries = try entries()
    #expect(entries.map(\.count) == [30_000])
    #expect(entries.map(\.atoms) == [[try file(29_999)]])
    #expect(entries.first?.lastAt == world.wall + .seconds(-1))
  }

  @Test("A minute of a muted flood under ever new labels is a few lines")
  func flood() throws {
    let book = book()
    for second in 0..<60 {
      for number in 0..<500 { book.note(denial("label \(second) \(number)", "capability \(number % 3)")) }
      book.write()
      world.pass(.seconds(1))
    }
    let entries = try entries()
    #expect(entries.map(\.count).reduce(0, +) == 30_000)
    #expect(entries.count == 3)
  }

  @Test("A flood of ever new files is summed up, too")
  func copies() throws {
    let book = book()
    for number in 0..<3000 { book.note(denial("copy \(number)", inode: UInt64(number + 1))) }
    book.write()
    let entries = try entries()
    #expect(entries.count == AnswerSums.mostDenied + 1)
    #expect(entries.map(\.count).reduce(0, +) == 3000)
    #expect(entries.contains { $0.subject?.label == "other programs" })
  }

  @Test("One program that is denied by ever more decisions leaves lines for the others")
  func manyDenials() throws {
    let book = book()
    let atoms = try (0..<200).map { try file($0) }
    let decisions = try store.decide(Ruling(.deny, subject: agent, atoms: Set(atoms)), by: .commandLine)
    for decision in decisions {
      var answer = use([decision], decision.atom)
      answer.verdict = .deny
      book.note(answer)
    }
    book.note(denial("another"))
    book.write()
    let entries = try entries()
    #expect(entries.count == AnswerSums.mostDeniedOfProgram + 2)
    #expect(entries.map(\.count).reduce(0, +) == 201)
    #expect(try store.decisions().allSatisfy { $0.lastUsed != nil })
  }

  @Test("Answers from ever more decisions are written before they fill the memory, and none is lost")
  func manyDecisions() throws {
    let atoms = try (0..<3000).map { try file($0) }
    let decisions = try store.decide(Ruling(.allow, subject: agent, atoms: Set(atoms)), by: .commandLine)
    let book = book()
    for decision in decisions { book.note(use([decision], decision.atom)) }
    book.write()
    #expect(try store.journal(JournalFilter(kinds: [.automatic]), .newest(9000)).count == 3000)
    #expect(try store.decisions().allSatisfy { $0.lastUsed != nil })
  }

  @Test("While the store is full, the sums stay bounded, and all answers are counted")
  func fullStore() throws {
    let atoms = try (0..<3000).map { try file($0) }
    let decisions = try store.decide(Ruling(.allow, subject: agent, atoms: Set(atoms)), by: .commandLine)
    let book = book()
    store.fail(.diskFull(path: "store"))
    for decision in decisions { book.note(use([decision], decision.atom)) }
    #expect(!book.write())
    store.fail(nil)
    #expect(book.write())
    let entries = try entries()
    #expect(entries.map(\.count).reduce(0, +) == 3000)
    #expect(entries.count <= 1001)
  }

  // MARK: Lines

  @Test("Answers from different decisions are told apart, and each tells its last value")
  func lines() throws {
    let (wide, narrow) = (try allowFolder("/src"), try allowFolder("/src/app"))
    let book = book()
    for number in 0..<3 { book.note(use(wide, try file(number))) }
    for number in 0..<2 { book.note(use(wide + narrow, try file(number, in: "/src/app"))) }
    book.write()
    #expect(try Set(entries().map(\.count)) == [3, 2])
    #expect(try Set(entries().map(\.atoms)) == [[try file(2)], [try file(1, in: "/src/app")]])
  }

  @Test("The line goes on for a minute from its beginning, and then another begins")
  func minute() throws {
    let decisions = try allowFolder("/src")
    let book = book()
    for number in 0..<3 {
      book.note(use(decisions, try file(number)))
      book.write()
      world.pass(.seconds(25))
    }
    #expect(try entries().map(\.count) == [3])
    book.note(use(decisions, try file(9)))
    book.write()
    #expect(try entries().map(\.count) == [3, 1])
  }

  @Test("An allowed use is recorded by label, with the time of the decision's last use")
  func allowed() throws {
    let decisions = try allowFolder("/src")
    let book = book()
    for number in 0..<5 {
      world.pass(.milliseconds(100))
      book.note(use(decisions, try file(number)))
    }
    let used = world.wall
    world.pass(.milliseconds(500))
    book.write()
    #expect(try entries().map(\.count) == [5])
    #expect(try store.decisions().first?.lastUsed == used)
  }

  // MARK: Writing

  @Test("An answer is in the store a second later, together with the others of that second")
  func second() async throws {
    let decisions = try allowFolder("/src")
    let book = book()
    var attempts = store.attempts.makeAsyncIterator()
    await attempts.next()
    book.note(use(decisions, try file(0)))
    await attempts.next()
    await clock.sleepers()
    for number in 1..<100 { book.note(use(decisions, try file(number))) }
    #expect(try entries().map(\.count) == [1])
    clock.advance(by: .seconds(1))
    await attempts.next()
    #expect(try entries().map(\.count) == [100])
  }

  @Test("An allow for a label binds to the program at once, before the next can use it")
  func binds() throws {
    let label = Subject(label: "agent")
    let atom = try file(1)
    try store.decide(Ruling(.allow, subject: label, atoms: [atom]), by: .commandLine)
    let found = try store.standing(of: agent, capability: "files")
    try book().record(use(Array(found.decisions.values), atom))
    #expect(try store.decisions().map(\.subject) == [agent])
  }

  @Test("A book that is no longer used writes what it holds")
  func released() async throws {
    let decisions = try allowFolder("/src")
    let book = book()
    book.note(use(decisions, try file(0)))
    await clock.sleepers()
    book.note(use(decisions, try file(1)))
    withExtendedLifetime(consume book) {}
    #expect(try entries().map(\.count) == [2])
  }

  @Test("An entry that cannot be written is kept, and written later")
  func failure() throws {
    let book = book()
    store.fail(.diskFull(path: "store"))
    book.note(denial("a"))
    #expect(!book.write())
    book.note(denial("b"))
    store.fail(nil)
    #expect(book.write())
    #expect(try entries().map(\.count) == [2])
  }

  @Test("The line tells the parts that were asked for last")
  func lastParts() throws {
    let book = book()
    for part in ["read", "write"] {
      var answer = denial("a")
      answer.atoms = [Atom("photos", part)]
      book.note(answer)
      book.write()
    }
    #expect(try entries().map(\.atoms) == [[Atom("photos", "write")]])
  }
}
