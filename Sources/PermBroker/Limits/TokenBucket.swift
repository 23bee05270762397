/// A rate limit that admits a burst of requests, and then one request per interval.
///
/// The bucket is stored as the time at which it will be full again. Taking a token moves that time further into the
/// future.
struct TokenBucket: Hashable, Sendable {
  /// The size of a burst, and the interval after which one token returns.
  struct Rate: Hashable, Sendable {
    var burst: Int
    var interval: Duration
  }

  /// The time at which the bucket is full again, as a duration since a fixed point.
  private var fullAt = Duration.zero

  func isFull(at now: Duration) -> Bool { fullAt <= now }

  /// Returns the time until a token is available; `nil` if one is available now.
  func wait(at now: Duration, rate: Rate) -> Duration? {
    let missing = max(fullAt, now) - now
    let wait = missing - rate.interval * (rate.burst - 1)
    return wait > .zero ? wait : nil
  }

  /// Takes a token, even if none is available.
  mutating func take(at now: Duration, rate: Rate) {
    fullAt = max(fullAt, now) + rate.interval
  }

  /// Puts a token back. A bucket that is already full stays full, and gains no extra token.
  mutating func giveBack(rate: Rate) { fullAt -= rate.interval }
}
