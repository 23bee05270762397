import Machine
import PermModel
import Testing

@testable import PermTUI

@Suite("Moments as the wall clock shows them")
struct LocalTimeTests {
  @Test("A moment in UTC and back")
  func utc() {
    let moment = Timestamp(seconds: 1_798_135_200)
    let fields = LocalTime(utc: moment)
    #expect(fields == LocalTime(year: 2026, month: 12, day: 24, hour: 18))
    #expect(fields.utcTimestamp == moment)
    #expect(fields.date == "2026-12-24")
    #expect(fields.time == "18:00")
    #expect(fields.timeWithSeconds == "18:00:00")
  }

  @Test("A local moment and back")
  func local() {
    let fields = LocalTime(year: 2027, month: 3, day: 9, hour: 7, minute: 5, second: 1)
    #expect(fields.timestamp.map { LocalTime($0) } == fields)
  }

  @Test(
    "Fields that no calendar has are no moment",
    arguments: [
      LocalTime(year: 2026, month: 2, day: 30), LocalTime(year: 2026, month: 13, day: 1),
      LocalTime(year: 2026, month: 1, day: 1, hour: 24), LocalTime(year: 0, month: 1, day: 1),
    ])
  func impossible(fields: LocalTime) {
    #expect(fields.timestamp == nil)
    #expect(fields.utcTimestamp == nil)
  }
}
