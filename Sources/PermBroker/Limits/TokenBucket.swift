/// A rate limit that admits a burst, and then one request per interval.
///
/// Stored as the moment at which the bucket will be full again: taking a token moves it forward, and the passing of
/// time catches up with it.
struct TokenBucket: Hashable, Sendable {
  /// The size of a burst, and the time in which one token returns.
  struct Rate: Hashable, Sendable {
    var burst: Int
    var interval: Duration
  }

  /// Times are durations since a fixed moment.
  private var fullAt = Duration.zero

  func isFull(at now: Duration) -> Bool { fullAt <= now }

  /// Returns the time until a token is available; `nil` if one is available now.
  func wait(at now: Duration, rate: Rate) -> Duration? {
    let missing = max(fullAt, now) - now
    let wait = missing - rate.interval * (rate.burst - 1)
    return wait > .zero ? wait : nil
  }

  /// Takes a token, whether or not one is available.
  mutating func take(at now: Duration, rate: Rate) {
    fullAt = max(fullAt, now) + rate.interval
  }

  /// Returns a token that was taken. A bucket never holds more than its burst, even if the moment at which it was full
  /// is in the past.
  mutating func giveBack(rate: Rate) { fullAt -= rate.interval }
}
