import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("Automatic answers on their way to the journal")
final class AnswerLedgerTests {
  private let time = TestTime()
  private let store: MemoryStore
  private let transactions = Counter()

  private final class Counter: Sendable { let count = Lock(0) }

  init() { store = MemoryStore(environment: time.environment) }

  private func ledger(_ failure: (@Sendable () -> StoreError?)? = nil) -> AnswerLedger {
    AnswerLedger(
      now: { [time] in time.environment.now().wall }, sleep: { [time] in try await time.sleep($0) }
    ) {
      [store, transactions] answers in
      if let failure = failure?() { throw failure }
      transactions.count.withLock { $0 += 1 }
      try store.record(answers)
    }
  }

  private func denial(_ label: String, inode: UInt64 = 1, _ capability: String = "photos") -> AutomaticAnswer
  {
    let subject = Subject(
      label: label, path: "/usr/bin/flood", file: FileIdentity(inode: inode, birth: 1))
    return AutomaticAnswer(.deny, subject: subject, capability: capability, atoms: [], reason: "muted")
  }

  private func entries() throws -> [JournalEntry] {
    try store.journal(JournalFilter(kinds: [.automatic]), .newest(1000)).reversed()
  }

  @Test(
    "A minute of a muted flood under ever new labels is a few lines, and one transaction a second at most")
  func flood() async throws {
    let ledger = ledger()
    for second in 0..<60 {
      for number in 0..<500 { ledger.note(denial("label \(second) \(number)", "capability \(number % 3)")) }
      await time.advance(.seconds(1))
    }
    ledger.write()
    let entries = try entries()
    #expect(entries.map(\.count).reduce(0, +) == 30_000)
    #expect(entries.count <= 6, "\(entries.count) lines")
    #expect(transactions.count.withLock { $0 } <= 62)
  }

  @Test("A flood of ever new files is summed up, too")
  func copies() async throws {
    let ledger = ledger()
    for number in 0..<3000 { ledger.note(denial("copy \(number)", inode: UInt64(number + 1))) }
    ledger.write()
    let entries = try entries()
    #expect(entries.count == AnswerSums.mostDenied + 1)
    #expect(entries.map(\.count).reduce(0, +) == 3000)
    #expect(entries.contains { $0.subject?.label == "other programs" })
  }

  @Test("What is allowed is told by label, with the decision's last use")
  func allowed() async throws {
    let ledger = ledger()
    let subject = Subject(label: "backup", path: "/b", file: FileIdentity(inode: 1, birth: 1))
    let atom = Atom("photos", "read")
    let kept = try store.decide(Ruling(.allow, subject: subject, atoms: [atom]), by: .commandLine)
    for _ in 0..<5 {
      ledger.note(
        AutomaticAnswer(
          .allow, subject: subject, capability: "photos", atoms: [atom], reason: "decided before",
          decisions: kept))
    }
    ledger.write()
    #expect(try entries().map(\.count) == [5])
    #expect(try store.decisions().first?.lastUsed == time.environment.now().wall)
  }

  @Test("What cannot be written is kept, and written later")
  func failure() async throws {
    let failures = Counter()
    let ledger = ledger { failures.count.withLock { $0 } == 0 ? StoreError.nothingToKeep : nil }
    ledger.note(denial("a"))
    #expect(!ledger.write())
    ledger.note(denial("b"))
    failures.count.withLock { $0 = 1 }
    #expect(ledger.write())
    #expect(try entries().map(\.count) == [2])
  }

  @Test("The line tells the parts that were asked for last")
  func lastParts() async throws {
    let ledger = ledger()
    for part in ["read", "write"] {
      var answer = denial("a")
      answer.atoms = [Atom("photos", part)]
      ledger.note(answer)
      ledger.write()
    }
    #expect(try entries().map(\.atoms) == [[Atom("photos", "write")]])
  }
}

@Suite("The pace of denials")
final class DenialPaceTests {
  private var pace = DenialPace()

  private func delay(_ program: Asker, at now: Duration) -> Duration? {
    pace.delay(of: program, at: now)
  }

  @Test("Fifty come at once, then each is waited for, a second at most, and others do not wait")
  func delays() {
    let first = (0..<50).filter { _ in delay(.process(1), at: .zero) == nil }
    #expect(first.count == 50)
    let later = (0..<500).compactMap { _ in delay(.process(1), at: .zero) }
    #expect(later.count == 500)
    #expect(later.first == .milliseconds(100))
    #expect(later.last == .seconds(1))
    #expect(delay(.process(2), at: .zero) == nil)
    #expect(delay(.process(1), at: .seconds(60)) == nil)
  }
}
