import Testing

@testable import PermPortal

@Suite("The rows that the portal stores after an answer")
struct LeaseBookTests {
  private let row = PermissionRow(table: "devices", id: "camera", app: "org.example.Cam")
  private let place = PermissionRow(table: "location", id: "location", app: "org.example.Map")

  /// Returns the steps after a dialogue has ended and the portal has written a value.
  private func steps(
    _ book: inout LeaseBook, _ row: PermissionRow, answer: RowRuling, writes value: String?,
    decided: RowRuling,
    at now: Int64 = 0
  ) -> [LeaseBook.Step] {
    book.open(row)
    book.close(row, answer, at: now)
    book.see(row, value, at: now)
    return book.due(at: now) { _ in decided }
  }

  @Test("A no that nobody has answered is taken back at once")
  func unanswered() {
    var book = LeaseBook()
    #expect(steps(&book, row, answer: .open, writes: "no", decided: .open) == [.delete(row)])
    // Until the change is seen, it is not made again.
    #expect(book.due(at: 1) { _ in .open }.isEmpty)
    book.see(row, nil, at: 2)
    #expect(book.due(at: 3) { _ in .open }.isEmpty)
    #expect(!book.leases.isEmpty)
    #expect(book.due(at: LeaseBook.grace + 1) { _ in .open }.isEmpty)
    #expect(book.leases.isEmpty)
  }

  @Test("A yes for once stays for ten seconds")
  func once() {
    var book = LeaseBook()
    #expect(steps(&book, row, answer: .allow, writes: "yes", decided: .open).isEmpty)
    #expect(book.nextMoment(after: 0) == LeaseBook.grace)
    #expect(book.due(at: LeaseBook.grace - 1) { _ in .open }.isEmpty)
    #expect(book.due(at: LeaseBook.grace) { _ in .open } == [.delete(row)])
  }

  @Test("A row stays for as long as the decisions say the same", arguments: [RowRuling.allow, .deny])
  func kept(_ ruling: RowRuling) {
    var book = LeaseBook()
    let value = ruling == .allow ? "yes" : "no"
    #expect(steps(&book, row, answer: ruling, writes: value, decided: ruling).isEmpty)
    #expect(book.nextMoment(after: LeaseBook.grace) == nil)
    #expect(book.due(at: 1_000_000) { _ in ruling }.isEmpty)
    #expect(book.due(at: 1_000_001) { _ in .open } == [.delete(row)])
  }

  @Test("Forgetting a decision acts at once, also in the first ten seconds")
  func forgotten() {
    var book = LeaseBook()
    #expect(steps(&book, row, answer: .allow, writes: "yes", decided: .allow).isEmpty)
    #expect(book.due(at: 1) { _ in .open } == [.delete(row)])
  }

  @Test("A row that somebody else writes later is theirs")
  func other() {
    var book = LeaseBook()
    _ = steps(&book, row, answer: .allow, writes: "yes", decided: .allow)
    book.see(row, "no", at: LeaseBook.grace + 1)
    #expect(book.leases.isEmpty)
  }

  @Test("A row that somebody else writes within the ten seconds after an answer is theirs, too")
  func otherAtOnce() {
    var book = LeaseBook()
    #expect(steps(&book, row, answer: .allow, writes: "yes", decided: .open).isEmpty)
    book.see(row, "no", at: 1)
    #expect(book.due(at: 1) { _ in .allow }.isEmpty)
    #expect(book.due(at: LeaseBook.grace) { _ in .open }.isEmpty)
    // After a no that nobody gave was taken back, a new row is somebody's.
    _ = steps(&book, row, answer: .open, writes: "no", decided: .open)
    book.see(row, nil, at: 1)
    book.see(row, "no", at: 2)
    #expect(book.due(at: 2) { _ in .open }.isEmpty)
    #expect(book.due(at: LeaseBook.grace) { _ in .open }.isEmpty)
  }

  @Test("A row that somebody else writes while an app waits stays until the portal writes over it")
  func otherMeanwhile() {
    var book = LeaseBook()
    book.open(row)
    book.see(row, "yes", at: 0)
    #expect(book.due(at: 1) { _ in .open }.isEmpty)
    book.close(row, .open, at: 2)
    #expect(book.due(at: 3) { _ in .open }.isEmpty)
    book.see(row, "no", at: 4)
    #expect(book.due(at: 4) { _ in .open } == [.delete(row)])
  }

  @Test("A portal that is gone writes nothing more, so that a row which comes then is somebody else's")
  func portalGone() {
    var book = LeaseBook()
    book.open(row)
    book.close(row, .open, isWritten: false, at: 0)
    book.see(row, "no", at: 1)
    #expect(book.due(at: 1) { _ in .open }.isEmpty)
  }

  @Test("At the end, a yes for once is taken back at once, and what is decided stays")
  func stopped() {
    var book = LeaseBook()
    #expect(steps(&book, row, answer: .allow, writes: "yes", decided: .open).isEmpty)
    #expect(!book.isSettling(at: 1))
    book.stop()
    #expect(book.due(at: 1) { _ in .open } == [.delete(row)])
    #expect(book.isSettling(at: 1))
    book.see(row, nil, at: 2)
    #expect(!book.isSettling(at: 2))
    _ = steps(&book, row, answer: .allow, writes: "yes", decided: .allow)
    book.stop()
    #expect(book.due(at: 3) { _ in .allow }.isEmpty)
  }

  @Test("A row that the portal asks about each time is not touched")
  func ask() {
    var book = LeaseBook()
    #expect(steps(&book, row, answer: .open, writes: "ask", decided: .open).isEmpty)
    #expect(book.due(at: LeaseBook.grace) { _ in .open }.isEmpty)
    #expect(book.leases.isEmpty)
  }

  @Test("A yes outlives the no of a second dialogue that nobody has answered")
  func two() {
    var book = LeaseBook()
    book.open(row)
    book.open(row)
    book.close(row, .allow, at: 0)
    book.see(row, "yes", at: 0)
    #expect(book.due(at: 0) { _ in .open }.isEmpty)
    book.close(row, .open, at: 1)
    book.see(row, "no", at: 1)
    #expect(book.due(at: 1) { _ in .open } == [.set(row, .yes)])
  }

  @Test("If less is allowed, the row is narrowed")
  func lesser() {
    var book = LeaseBook()
    #expect(steps(&book, place, answer: .lesser, writes: "NONE", decided: .lesser) == [.set(place, .lesser)])
    book.see(place, "CITY", at: 1)
    #expect(book.due(at: 2) { _ in .lesser }.isEmpty)
    #expect(book.due(at: LeaseBook.grace + 2) { _ in .open } == [.delete(place)])
    // An allow that is narrowed later.
    var wide = LeaseBook()
    _ = steps(&wide, place, answer: .allow, writes: "EXACT", decided: .allow)
    #expect(wide.due(at: LeaseBook.grace + 1) { _ in .lesser } == [.set(place, .lesser)])
  }

  @Test("After a crash, what was not answered is taken back, and a yes needs a decision")
  func resumed() {
    var book = LeaseBook()
    book.resume(row, value: nil, at: 0)
    book.see(row, "no", at: 1)
    #expect(book.due(at: 1) { _ in .open } == [.delete(row)])
    book = LeaseBook()
    book.resume(row, value: "yes", at: 0)
    book.see(row, "yes", at: 1)
    #expect(book.due(at: 1) { _ in .allow }.isEmpty)
    #expect(book.due(at: 1) { _ in .open } == [.delete(row)])
    book = LeaseBook()
    book.resume(row, value: "yes", at: 0)
    book.see(row, "no", at: 1)
    #expect(book.leases.isEmpty)
  }

  @Test("A change that the desktop refuses is tried again after pauses that grow up to ten minutes")
  func refused() {
    var book = LeaseBook()
    #expect(steps(&book, row, answer: .open, writes: "no", decided: .open) == [.delete(row)])
    var (now, pauses) = (Int64(0), [Int64]())
    for _ in 0..<12 {
      // The row was looked up after the change, and is as it was.
      book.see(row, "no", at: now)
      book.tried(.delete(row), at: now)
      #expect(book.due(at: now) { _ in .open }.isEmpty)
      let next = nextTry(book, after: now)
      #expect(book.due(at: next - 1) { _ in .open }.isEmpty)
      #expect(book.due(at: next) { _ in .open } == [.delete(row)])
      pauses.append(next - now)
      now = next
    }
    #expect(pauses.prefix(3) == [1_000, 2_000, 4_000])
    #expect(pauses.suffix(2) == [600_000, 600_000])
  }

  /// The next moment at which the book has something to do, beyond the ten seconds after an answer.
  private func nextTry(_ book: LeaseBook, after now: Int64) -> Int64 {
    var moment = now
    while let next = book.nextMoment(after: moment), next == LeaseBook.grace { moment = next }
    return book.nextMoment(after: moment) ?? .max
  }

  @Test(
    "Once a refused change is made or no longer wanted, no moment is waited for, and the next pause is short")
  func refusalEnds() {
    let late = LeaseBook.grace + 1
    var book = LeaseBook()
    _ = steps(&book, row, answer: .allow, writes: "yes", decided: .allow)
    #expect(book.due(at: late) { _ in .open } == [.delete(row)])
    book.tried(.delete(row), at: late)
    #expect(book.nextMoment(after: late) == late + 1_000)
    // The person allows it again meanwhile.
    #expect(book.due(at: late + 1) { _ in .allow }.isEmpty)
    #expect(book.nextMoment(after: late + 1) == nil)
    #expect(book.due(at: late + 2) { _ in .open } == [.delete(row)])
    book.tried(.delete(row), at: late + 2)
    #expect(book.nextMoment(after: late + 2) == late + 1_002)
    // Somebody else removes the row.
    book.see(row, nil, at: late + 3)
    #expect(book.due(at: late + 3) { _ in .open }.isEmpty)
    #expect(book.nextMoment(after: late + 3) == nil)
  }

  @Test("Another change than the refused one does not wait")
  func otherChange() {
    let late = LeaseBook.grace + 1
    var book = LeaseBook()
    _ = steps(&book, place, answer: .allow, writes: "EXACT", decided: .allow)
    #expect(book.due(at: late) { _ in .lesser } == [.set(place, .lesser)])
    book.tried(.set(place, .lesser), at: late)
    #expect(book.due(at: late) { _ in .lesser }.isEmpty)
    #expect(book.due(at: late) { _ in .open } == [.delete(place)])
  }
}
