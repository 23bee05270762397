package import Machine

/// A time on the wall clock, in microseconds since 1970-01-01 00:00 UTC.
///
/// Sums and differences are clamped to the range of representable values.
///
/// The model uses this type because it requires neither Foundation nor a time zone. The screen and the
/// command line convert timestamps to local time.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
  package var microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }
  public init(seconds: Int64) { microseconds = seconds.multipliedClamped(by: 1_000_000) }

  /// Whole seconds since 1970, rounded down.
  public var seconds: Int64 {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool { lhs.microseconds < rhs.microseconds }
  package static func + (lhs: Timestamp, rhs: Duration) -> Timestamp {
    Timestamp(microseconds: lhs.microseconds.addingClamped(rhs.wholeMicroseconds))
  }
  package static func - (lhs: Timestamp, rhs: Timestamp) -> Duration {
    .microseconds(lhs.microseconds.subtractingClamped(rhs.microseconds))
  }
}

extension Duration {
  /// The duration in microseconds, rounded towards zero and clamped to the representable range.
  package var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds.multipliedClamped(by: 1_000_000).addingClamped(attoseconds / 1_000_000_000_000)
  }
}

extension Timestamp {
  package static var now: Timestamp { Timestamp(microseconds: SystemClock.wall.microseconds) }

  /// The time at which this machine was started, as the clock shows it now.
  package static var ofBoot: Timestamp {
    Timestamp(microseconds: SystemClock.wall.microseconds.subtractingClamped(SystemClock.boot.microseconds))
  }
}

extension ProcessIdentity {
  /// Returns the time at which the process was started on a machine that was started at `boot`.
  package func start(ofBootAt boot: Timestamp) -> Timestamp {
    let ticks = Int64(clamping: startTime)
    return boot + .microseconds(ticks.multipliedClamped(by: SystemClock.nanosecondsPerTick / 1_000))
  }
}

extension LocalTime {
  /// The beginning of this day.
  package var midnight: Timestamp {
    Timestamp(seconds: LocalTime(year: year, month: month, day: day).nearestSeconds)
  }

  /// Creates the local time of a timestamp, in the time zone of this process.
  package init(_ timestamp: Timestamp) { self.init(seconds: timestamp.seconds) }

  package init(utc timestamp: Timestamp) { self.init(utcSeconds: timestamp.seconds) }

  /// The time that these fields denote in the local time zone; `nil` if there is no such time.
  package var timestamp: Timestamp? { seconds.map { Timestamp(seconds: $0) } }

  /// The time that these fields denote in UTC; `nil` if there is no such time.
  package var utcTimestamp: Timestamp? { utcSeconds.map { Timestamp(seconds: $0) } }
}
