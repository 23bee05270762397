import PermModel

/// The delays of denials that do not involve a person, such as those of a muted program: a pure value.
///
/// The first denials are sent at once. A program that keeps asking waits longer each time, up to a second, so that it
/// cannot keep the broker busy.
struct DenialPace: Sendable {
  private static let rate = TokenBucket.Rate(burst: 50, interval: .milliseconds(100))
  private static let longest = Duration.seconds(1)

  private var buckets: [Asker: TokenBucket] = [:]
  private var nextSweep = 64

  /// Counts a denial, and returns its delay; `nil` for none.
  mutating func delay(of program: Asker, at now: Duration) -> Duration? {
    if buckets.count >= nextSweep {
      buckets = buckets.filter { !$1.isFull(at: now) }
      nextSweep = max(64, buckets.count * 2)
    }
    var bucket = buckets[program] ?? TokenBucket()
    let wait = bucket.wait(at: now, rate: Self.rate).map { min($0, Self.longest) }
    // A debt beyond the longest wait would only punish later calls.
    if wait != Self.longest { bucket.take(at: now, rate: Self.rate) }
    buckets[program] = bucket
    return wait
  }
}
