import Testing

@testable import PermModel

@Suite("Moments at the ends of time")
struct TimestampTests {
  @Test("are the result of sums and differences that no number is there for")
  func clamped() {
    let end = Timestamp(microseconds: .max)
    let start = Timestamp(microseconds: .min)
    #expect(end + .seconds(1) == end)
    #expect(start + .seconds(-1) == start)
    #expect(Timestamp(microseconds: 0) + .seconds(Int64.max) == end)
    #expect(end - start == .microseconds(Int64.max))
    #expect(start - end == .microseconds(Int64.min))
    #expect(Timestamp(seconds: .max) == end)
    #expect(Timestamp(seconds: .min) == start)
  }

  @Test("end a decision when they are there", arguments: [Int64.min, .max])
  func deadline(bootTime: Int64) {
    let moment = Moment(wall: Timestamp(seconds: 1), bootID: "boot", bootTime: 5, session: { "" }) { _ in true
    }
    let deadline = Deadline(wall: Timestamp(microseconds: .max), bootID: "boot", bootTime: bootTime)
    #expect((Lifetime.until(deadline).end(asOf: moment) != nil) == (bootTime == .min))
  }
}
