import Foundation
import TerminalTesting
import Testing

/// The installed program has only a part of ICU's data (scripts/icu-data), which must include the zones.
@Suite("Named time zones", .timeLimit(.minutes(5)))
struct TimeZoneTests {
  private let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: home.file(".calendars/own"), withIntermediateDirectories: true)
  }

  private func add(_ title: String, _ start: String) throws {
    let lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "SUMMARY:\(title)", start, "END:VEVENT", "END:VCALENDAR"]
    try lines.joined(separator: "\r\n").write(
      toFile: home.file(".calendars/own/\(title).ics"), atomically: false, encoding: .utf8)
  }

  @Test(
    "order events as they happen",
    arguments: [
      // In UTC the first ones are at 4:30, at 15:00 because of summer time, and on the day before.
      ("DTSTART;TZID=Asia/Kolkata:20990101T100000", "DTSTART:20990101T050000Z"),
      ("DTSTART;TZID=America/New_York:20990701T110000", "DTSTART:20990701T153000Z"),
      ("DTSTART;TZID=Pacific/Kiritimati:20990102T100000", "DTSTART:20990101T210000Z"),
    ])
  func order(first: String, second: String) throws {
    try add("first", first)
    try add("second", second)
    let session = try TerminalSession(
      home.permtui(["--plain"], environment: ["TERM": "dumb"]), columns: 120, rows: 300)
    try session.expect("Programs: listening.")
    session.type("example calendar\n")
    try session.expectAnswer(to: "asks to")
    session.type("allow\n")
    try session.expect("The next event: ")
    #expect(session.picture.lines.contains { $0.contains("The next event: ") && $0.contains(", first.") })
    session.type("quit\n")
    try session.waitForEnd()
  }
}
