import ArgumentParser
import Machine
import PermModel
import Testing

@testable import PermTUI

@Suite("Lifetimes and moments as typed")
struct ArgumentTests {
  @Test(
    "Every lifetime of the manual is read",
    arguments: [
      ("once", LifetimeChoice.once), ("process", .process), ("session", .session), ("forever", .forever),
      ("30s", .duration(.seconds(30))), ("10m", .duration(.seconds(600))),
      ("8h", .duration(.seconds(28_800))),
      ("2d", .duration(.seconds(172_800))), ("1w", .duration(.seconds(604_800))),
      ("1h30m", .duration(.seconds(5400))),
    ])
  func lifetimes(text: String, choice: LifetimeChoice) throws {
    #expect(try LifetimeArgument.parse(text) == choice)
  }

  @Test("A date is read in local time, or in UTC with a Z")
  func dates() throws {
    let local = try #require(LocalTime(year: 2026, month: 12, day: 24, hour: 18).timestamp)
    let utc = try #require(LocalTime(year: 2026, month: 12, day: 24, hour: 18).utcTimestamp)
    #expect(try LifetimeArgument.parse("2026-12-24T18:00") == .until(local))
    #expect(try LifetimeArgument.parse("2026-12-24 18:00:00") == .until(local))
    #expect(try LifetimeArgument.parse("2026-12-24T18:00Z") == .until(utc))
    #expect(
      try LifetimeArgument.parse("2026-12-24T18:00:00.25Z")
        == .until(Timestamp(microseconds: utc.microseconds + 250_000)))
  }

  @Test(
    "Text that is no lifetime is refused, and the message says what to type",
    arguments: [
      ("forevr", "did you mean 'forever'"), ("sesion", "did you mean 'session'"),
      ("0m", "greater than zero"),
      ("2026-12-24", "time of the day"), ("2026-02-30T10:00", "no such moment"), ("200000w", "100 years"),
      ("99999999999999999999h", "100 years"), ("10", "use once"), ("m", "use once"), ("10x", "use once"),
      ("-5m", "use once"), ("", "use once"), ("١٠m", "use once"), ("2026-1-2T3:4", "use once"),
      ("2026-12-24T18:00+01:00", "use once"),
    ])
  func refused(text: String, hint: String) {
    let error = #expect(throws: ValidationError.self) { try LifetimeArgument.parse(text) }
    #expect(error?.message.contains(hint) == true, "\(error?.message ?? "no error")")
  }

  @Test("A moment printed for programs is read back as the same moment")
  func roundTrip() throws {
    for microseconds in [0, 1, 1_798_135_200_000_001, 999_999, 253_402_300_799_999_999] as [Int64] {
      let moment = Timestamp(microseconds: microseconds)
      #expect(try MomentArgument.parse(MomentArgument.format(moment)) == moment)
    }
  }

  @Test("Every moment can be printed, as a broker can send any", arguments: [Int64.min, -1, .max])
  func anyMoment(microseconds: Int64) {
    #expect(MomentArgument.format(Timestamp(microseconds: microseconds)).hasSuffix("Z"))
  }

  @Test("Since counts back from now, or names a moment")
  func since() throws {
    let now = Timestamp(seconds: 100_000)
    #expect(try SinceArgument.parse("24h").timestamp(now: now) == Timestamp(seconds: 13_600))
    #expect(
      try SinceArgument.parse("1970-01-02T00:00Z").timestamp(now: now) == Timestamp(seconds: 86_400))
    #expect(throws: ValidationError.self) { try SinceArgument.parse("tomorrow") }
  }

  @Test("A day means its beginning, and a time of the day the last time that clocks showed it")
  func days() throws {
    let now = try #require(LocalTime(year: 2026, month: 3, day: 1, hour: 9, minute: 30).timestamp)
    func expect(_ text: String, _ day: Int, _ month: Int, _ hour: Int, _ minute: Int) throws {
      let moment = LocalTime(year: 2026, month: month, day: day, hour: hour, minute: minute).timestamp
      #expect(try SinceArgument.parse(text).timestamp(now: now) == moment, "\(text)")
    }
    try expect("today", 1, 3, 0, 0)
    try expect("yesterday", 28, 2, 0, 0)
    try expect("9:30", 1, 3, 9, 30)
    try expect("08:05", 1, 3, 8, 5)
    try expect("23:00", 28, 2, 23, 0)
    for wrong in ["24:00", "9:5", "9:60", "123:00", "9:30:00", ":30", "-1:30"] {
      #expect(throws: ValidationError.self) { try SinceArgument.parse(wrong) }
    }
  }
}
