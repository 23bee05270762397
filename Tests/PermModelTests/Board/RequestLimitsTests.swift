import Testing

@testable import PermModel

@Suite("How much programs may ask")
final class RequestLimitsTests {
  private let backup = asker(1)
  private var limits = RequestLimits()
  private var admissions: [ProgramKey: [RequestLimits.Admission]] = [:]

  private static func asker(_ inode: UInt64, isSandboxed: Bool = false) -> ProgramKey {
    .file(FileIdentity(inode: inode, birth: 1), isSandboxed: isSandboxed)
  }

  @Test("Five pass at once, then one in ten seconds")
  func burst() {
    let passed = (0..<20).filter { _ in admitAndEnd(backup, at: .zero) }.count
    #expect(passed == 5)
    #expect(admit(backup, at: .zero) == .tooFast(tryAgainIn: .seconds(10)))
    #expect(admit(backup, at: .seconds(9)) == .tooFast(tryAgainIn: .seconds(1)))
    #expect(admit(backup, at: .seconds(10)) == nil)
    #expect(admit(backup, at: .seconds(10)) != nil)
  }

  @Test("Over an hour of asking without pause one in ten seconds passes")
  func longRun() {
    let passed = (0..<36_000).filter { admitAndEnd(backup, at: .milliseconds(100 * $0)) }.count
    #expect(passed == 5 + 359)
  }

  @Test("Quiet for long, a program has its burst again and no more")
  func quiet() {
    for _ in 0..<5 { _ = admitAndEnd(backup, at: .zero) }
    let later = (0..<20).filter { _ in admitAndEnd(backup, at: .seconds(86_400)) }.count
    #expect(later == 5)
  }

  @Test("One program's flood does not use up another's turn")
  func independent() {
    for _ in 0..<50 { _ = admit(backup, at: .zero) }
    #expect(admit(Self.asker(2), at: .zero) == nil)
  }

  @Test("The same file in a sandbox is another asker, and all unknown ones are one")
  func askers() {
    for _ in 0..<5 { _ = admit(backup, at: .zero) }
    #expect(admit(Self.asker(1, isSandboxed: true), at: .zero) == nil)
    let labels = (0..<20).map { ProgramKey(counting: Subject(label: "program \($0)")) }
    #expect(labels.filter { admit($0, at: .zero) == nil }.count == 5)
  }

  @Test("Ten programs may start at once, and a thousand files that take turns may not")
  func overall() {
    let first = (0..<10).flatMap { program in (0..<5).map { _ in program } }
    #expect(first.allSatisfy { admit(Self.asker(UInt64($0)), at: .zero) == nil })
    let flood = (100..<1100).filter { admit(Self.asker(UInt64($0)), at: .zero) == nil }
    #expect(flood.count == 50)
    #expect(admit(Self.asker(5000), at: .zero) == .tooFast(tryAgainIn: .seconds(1)))
  }

  @Test("Twenty of one program wait, and the next is told so until one ends")
  func waiting() {
    for turn in 0..<20 { #expect(admit(backup, at: .seconds(10 * turn)) == nil) }
    #expect(admit(backup, at: .seconds(1000)) == .tooManyWaiting(limit: 20))
    end(backup)
    #expect(admit(backup, at: .seconds(1000)) == nil)
  }

  @Test("A thousand wait in all")
  func waitingOverall() {
    for number in 0..<1000 {
      #expect(admit(Self.asker(UInt64(number)), at: .seconds(number)) == nil)
    }
    #expect(admit(Self.asker(5000), at: .seconds(2000)) == .tooManyWaitingOverall(limit: 1000))
    end(Self.asker(7))
    #expect(admit(Self.asker(5000), at: .seconds(2000)) == nil)
  }

  @Test("Programs that have gone quiet are forgotten")
  func memory() {
    for number in 0..<100_000 { _ = admitAndEnd(Self.asker(UInt64(number)), at: .seconds(20 * number)) }
    #expect(remembered <= 128)
  }

  @Test("A refusal says when to try again")
  func words() {
    #expect(
      "\(RequestLimits.Refusal.tooFast(tryAgainIn: .milliseconds(9_100)))"
        == "this program asks too often; try again in 10 s")
    #expect(
      "\(RequestLimits.Refusal.tooManyWaiting(limit: 20))"
        == "20 requests of this program are waiting already; try again later")
  }

  // MARK: Families

  private static let terminal = ProcessFamily.terminal("pts/3", leader: 42)

  @Test("Of a program that copies itself 25 get through, and ten honest programs that start together all do")
  func copies() {
    let first = (0..<10).flatMap { program in (0..<5).map { _ in program } }
    #expect(first.allSatisfy { admit(Self.asker(UInt64($0)), in: Self.terminal, at: .zero) == nil })
    let copies = (100..<250).filter { number in
      admit(Self.asker(UInt64(number)), in: .controlGroup("/"), at: .milliseconds(25 * (number - 100))) == nil
    }
    #expect(copies.count == 25)
    #expect(
      admit(Self.asker(500), in: .controlGroup("/"), at: .seconds(4))
        == .tooManyOfFamily(tryAgainIn: .seconds(1)))
    #expect(admit(Self.asker(501), in: .controlGroup("/user"), at: .seconds(4)) == nil)
  }

  @Test("Copies that each ask five times get no more than fifty alerts")
  func busyCopies() {
    let passed = (0..<50).flatMap { number in
      (0..<5).filter { _ in admit(Self.asker(UInt64(number)), in: Self.terminal, at: .zero) == nil }
    }
    #expect(passed.count == 50)
  }

  @Test("Two hundred of a family wait, and another family still asks")
  func familyWaiting() {
    for number in 0..<200 {
      #expect(admit(Self.asker(UInt64(number)), in: Self.terminal, at: .seconds(5 * number)) == nil)
    }
    #expect(
      admit(Self.asker(900), in: Self.terminal, at: .seconds(5000)) == .tooManyOfFamilyWaiting(limit: 200))
    #expect(admit(Self.asker(900), in: .unknown, at: .seconds(5000)) == nil)
  }

  @Test("An answered request is not counted, a withdrawn one is")
  func answered() {
    let answered = (0..<200).filter { _ in admitAndEnd(backup, at: .zero, isAnswered: true) }
    #expect(answered.count == 200)
    #expect((0..<20).filter { _ in admitAndEnd(backup, at: .zero) }.count == 5)
  }

  @Test("An answer gives a program no more than its burst")
  func noCredit() {
    for _ in 0..<100 { _ = admitAndEnd(backup, at: .zero, isAnswered: true) }
    #expect((0..<20).filter { _ in admit(backup, at: .seconds(1)) == nil }.count == 5)
  }

  // The testing macros copy the value that a method is called on, so changes are made by methods of the suite.
  private func admit(
    _ asker: ProgramKey, in family: ProcessFamily? = nil, at now: Duration
  ) -> RequestLimits.Refusal? {
    do throws(RequestLimits.Refusal) {
      // Each program is in a family of its own unless the test says otherwise.
      admissions[asker, default: []].append(
        try limits.admit(CostAccount(asker, in: family ?? .controlGroup("\(asker)")), at: now))
      return nil
    } catch {
      return error
    }
  }

  private func end(_ asker: ProgramKey, isAnswered: Bool = false) {
    if let admission = admissions[asker]?.popLast() { limits.end(admission, isAnswered: isAnswered) }
  }

  private var remembered: Int { limits.remembered }

  /// Admits a request and ends it. Returns whether it was admitted.
  private func admitAndEnd(_ asker: ProgramKey, at now: Duration, isAnswered: Bool = false) -> Bool {
    guard admit(asker, at: now) == nil else { return false }
    end(asker, isAnswered: isAnswered)
    return true
  }
}
