import Foundation
import Glibc
import Machine
import Testing

@testable import PermModel

@Suite("Reading calendars")
struct CalendarFileTests {
  let november = Timestamp(seconds: 1_795_219_200)  // 2026-11-21 00:00 UTC

  func items(_ lines: String...) -> [CalendarItem] {
    CalendarFile((["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR"]).joined(separator: "\r\n")).items
  }

  @Test("Folded lines, quoted parameters and escapes are put back together")
  func folding() {
    let items = items(
      "BEGIN:VEVENT", "SUMMARY:Lunch with Ana\\, Bo", "  and Cid\\; bring", " \\nfruit",
      "DTSTART;X-NOTE=\"a:b;c\":20261122T120000Z", "END:VEVENT")
    #expect(items.map(\.title) == ["Lunch with Ana, Bo and Cid; bring fruit"])
    #expect(items.first?.start?.description == "2026-11-22 12:00 UTC")
  }

  @Test("An alarm inside an event does not change the event")
  func alarms() {
    let items = items(
      "BEGIN:VEVENT", "SUMMARY:Talk", "DTSTART:20261122T120000Z", "BEGIN:VALARM", "SUMMARY:Beep",
      "END:VALARM", "END:VEVENT")
    #expect(items.map(\.title) == ["Talk"])
  }

  @Test("An entry that is done, called off or past is not next")
  func over() {
    let items = items(
      "BEGIN:VTODO", "SUMMARY:Done", "DUE:20261201T100000Z", "STATUS:COMPLETED", "END:VTODO",
      "BEGIN:VEVENT", "SUMMARY:Off", "DTSTART:20261201T100000Z", "STATUS:CANCELLED", "END:VEVENT",
      "BEGIN:VEVENT", "SUMMARY:Past", "DTSTART:20261120T235959Z", "END:VEVENT")
    #expect(items.count == 3)
    #expect(items.allSatisfy { $0.next(from: november) == nil })
  }

  @Test(
    "A repeated event comes again, by its rule",
    arguments: [
      ("FREQ=DAILY", "2026-11-21 12:00 UTC"),
      ("FREQ=DAILY;INTERVAL=4", "2026-11-23 12:00 UTC"),
      ("FREQ=WEEKLY", "2026-11-27 12:00 UTC"),
      ("FREQ=WEEKLY;BYDAY=MO,FR", "2026-11-23 12:00 UTC"),
      ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR", "2026-11-24 12:00 UTC"),
      ("FREQ=MONTHLY", "2026-11-30 12:00 UTC"),
      ("FREQ=YEARLY", "2027-10-30 12:00 UTC"),
      ("FREQ=DAILY;COUNT=22", nil),
      ("FREQ=DAILY;COUNT=23", "2026-11-21 12:00 UTC"),
      ("FREQ=DAILY;UNTIL=20261120T120000Z", nil),
    ] as [(String, String?)])
  func recurrence(rule: String, next: String?) {
    let item = items(
      "BEGIN:VEVENT", "SUMMARY:Again", "DTSTART:20261030T120000Z", "RRULE:\(rule)", "END:VEVENT"
    ).first
    #expect(item?.next(from: november)?.description == next)
  }

  @Test("A day that is left out of a repeated event is passed over")
  func exceptions() {
    let item = items(
      "BEGIN:VEVENT", "SUMMARY:Again", "DTSTART:20261030T120000Z", "RRULE:FREQ=DAILY",
      "EXDATE:20261121T120000Z,20261122T120000Z", "END:VEVENT"
    ).first
    #expect(item?.next(from: november)?.description == "2026-11-23 12:00 UTC")
  }

  @Test("The last day of a month repeats only in months that have it")
  func shortMonths() {
    let item = items(
      "BEGIN:VEVENT", "SUMMARY:Rent", "DTSTART:20260131T120000Z", "RRULE:FREQ=MONTHLY", "END:VEVENT"
    ).first
    let february = Timestamp(seconds: 1_769_904_000 + 86_400)
    #expect(item?.next(from: february)?.description == "2026-03-31 12:00 UTC")
  }

  @Test("A rule with parts that are not known counts once, not wrongly")
  func unknownRule() { #expect(Recurrence("FREQ=MONTHLY;BYDAY=2MO") == nil) }

  @Test("Days and their numbers agree with the C library over four centuries")
  func dayNumbers() {
    for day in stride(from: -73_000, to: 73_000, by: 17) {
      var seconds = time_t(day) * 86_400
      var fields = tm()
      gmtime_r(&seconds, &fields)
      let number = DayNumber(day)
      #expect(number.fields.year == Int(fields.tm_year) + 1900)
      #expect(number.fields.month == Int(fields.tm_mon) + 1)
      #expect(number.fields.day == Int(fields.tm_mday))
      let back = DayNumber(year: number.fields.year, month: number.fields.month, day: number.fields.day)
      #expect(back.value == day)
    }
  }

  @Test("A zone's winter and summer time are told apart")
  func zones() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let winter = Int64(1_795_219_200)
    #expect(zone.seconds(ofLocal: winter) == winter - 3_600)
    let summer = Int64(1_784_678_400)
    #expect(zone.seconds(ofLocal: summer) == summer - 7_200)
    // On 2026-03-29 the clocks went from 02:00 to 03:00, and on 2026-10-25 from 03:00 to 02:00.
    let (skipped, repeated) = (Int64(1_774_751_400), Int64(1_792_895_400))
    #expect(zone.seconds(ofLocal: skipped) == skipped - 3_600)
    #expect(zone.seconds(ofLocal: repeated) == repeated - 3_600)
    #expect(zone.seconds(ofLocal: skipped - 3_600) == skipped - 7_200)
    #expect(zone.seconds(ofLocal: repeated - 3_600) == repeated - 10_800)
    #expect(TimeZone(identifier: "../etc/passwd") == nil)
    #expect(TimeZone(identifier: "Nowhere/Land") == nil)
  }
}
