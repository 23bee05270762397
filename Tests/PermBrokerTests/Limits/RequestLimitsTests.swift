import PermModel
import Testing

@testable import PermBroker

@Suite("How much programs may ask")
final class RequestLimitsTests {
  private let backup = asker(1)
  private var limits = RequestLimits()

  private static func asker(_ inode: UInt64, isSandboxed: Bool = false) -> RequestLimits.Asker {
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
    let labels = (0..<20).map { RequestLimits.Asker(Subject(label: "program \($0)")) }
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

  @Test("Ending what was never admitted frees no place")
  func strayEnd() {
    end(backup)
    for turn in 0..<20 { _ = admit(backup, at: .seconds(10 * turn)) }
    #expect(admit(backup, at: .seconds(1000)) != nil)
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
        == "20 requests of this program are waiting already")
  }

  // The testing macros copy the value that a method is called on, so changes are made by methods of the suite.
  private func admit(_ asker: RequestLimits.Asker, at now: Duration) -> RequestLimits.Refusal? {
    limits.admit(asker, at: now)
  }

  private func end(_ asker: RequestLimits.Asker) { limits.end(asker) }
  private var remembered: Int { limits.remembered }

  /// Lets a request in and out again. Gives whether it was let in.
  private func admitAndEnd(_ asker: RequestLimits.Asker, at now: Duration) -> Bool {
    guard admit(asker, at: now) == nil else { return false }
    end(asker)
    return true
  }
}
