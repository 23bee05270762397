import Machine
import PermModel
import Testing

@testable import PermTUI

@Suite("Times on the screen")
struct ClockFormatTests {
  private let clock = ClockFormat { LocalTime(utc: $0) }

  /// Moments with their short and their exact form.
  private static let moments: [(Timestamp, short: String, exact: String)] = [
    (Samples.today(9, 12, 5), "09:12", "09:12:05"),
    (Samples.moment((12, 9, 12, 5)), "Mon 09:12", "Mon 09:12:05"),
    (Samples.moment((1, 9, 12, 5)), "1 Oct 09:12", "1 Oct 09:12:05"),
    (Story.start + .seconds(-400 * 86_400), "9 Sep 2025", "9 Sep 2025 14:03:30"),
  ]

  @Test("name the same day with seconds and without", arguments: moments.indices)
  func days(place: Int) {
    let (moment, short, exact) = Self.moments[place]
    let today = clock.day(of: Story.start)
    #expect(clock.short(moment, today: today) == short)
    #expect(clock.exact(moment, today: today) == exact)
  }
}
