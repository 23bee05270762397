/// Lets a burst through and then one every so often.
///
/// Kept as the one moment at which the bucket will be full again: each token taken moves it on, and time alone
/// catches up with it.
struct TokenBucket: Hashable, Sendable {
  /// How much passes at once, and how long a token takes to come back.
  struct Rate: Hashable, Sendable {
    var burst: Int
    var interval: Duration
  }

  private var fullAt: Duration

  /// A full bucket. Moments are durations since some fixed one.
  init() { fullAt = .zero }

  func isFull(at now: Duration) -> Bool { fullAt <= now }

  /// How long until a token is there; `nil` if one is there now.
  func wait(at now: Duration, rate: Rate) -> Duration? {
    let missing = max(fullAt, now) - now
    let wait = missing - rate.interval * (rate.burst - 1)
    return wait > .zero ? wait : nil
  }

  /// Takes a token, whether one is there or not.
  mutating func take(at now: Duration, rate: Rate) {
    fullAt = max(fullAt, now) + rate.interval
  }

  /// Puts a token back that was taken. A bucket never holds more than its burst: the moment at which it was full may
  /// lie in the past.
  mutating func giveBack(rate: Rate) { fullAt -= rate.interval }
}
