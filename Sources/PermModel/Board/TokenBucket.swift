/// A rate limit that admits a burst of requests, and then one request per interval.
///
/// The bucket is stored as the time at which it will be full again. Taking a token moves that time further into the
/// future.
package struct TokenBucket: Hashable, Sendable {
  /// The size of a burst, and the interval after which one token returns.
  package struct Rate: Hashable, Sendable {
    package var burst: Int
    package var interval: Duration

    package init(burst: Int, interval: Duration) { (self.burst, self.interval) = (burst, interval) }
  }

  /// The time at which the bucket is full again, as a duration since a fixed point.
  private var fullAt = Duration.zero

  package init() {}

  package func isFull(at now: Duration) -> Bool { fullAt <= now }

  /// Returns the time until a token is available; `nil` if one is available now.
  package func wait(at now: Duration, rate: Rate) -> Duration? {
    let missing = max(fullAt, now) - now
    let wait = missing - rate.interval * (rate.burst - 1)
    return wait > .zero ? wait : nil
  }

  /// Takes a token, even if none is available.
  package mutating func take(at now: Duration, rate: Rate) {
    fullAt = max(fullAt, now) + rate.interval
  }

  /// Puts a token back. A bucket that is already full stays full, and gains no extra token.
  package mutating func giveBack(rate: Rate) { fullAt -= rate.interval }
}
