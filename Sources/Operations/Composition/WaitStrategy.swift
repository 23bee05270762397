import Machine

/// A strategy that determines how long to wait before each repetition.
///
/// No wait is negative, and none is longer than `longest`, regardless of the number of repetitions.
public struct WaitStrategy: Sendable {
  fileprivate enum Kind: Sendable {
    /// The first two waits, and a closure that computes each later wait from the two waits before it.
    case series(Duration, Duration, next: @Sendable (Duration, Duration) -> Duration)
    case random(ClosedRange<Duration>, any RandomNumberGenerator & Sendable)
  }

  /// The longest possible wait: a hundred years.
  public static let longest = Duration.longestWait

  fileprivate var kind: Kind
  fileprivate var cap = WaitStrategy.longest

  /// A strategy without waits.
  public static let immediate = constant(.zero)

  /// Returns a strategy in which all waits are equally long.
  public static func constant(_ wait: Duration) -> Self { Self(kind: .series(wait, wait) { $1 }) }

  /// Returns a strategy in which each wait is longer than the previous one by a fixed step.
  public static func incrementing(from first: Duration, by step: Duration) -> Self {
    let step = limited(step)
    return Self(kind: .series(first, limited(first) + step) { $1 + step })
  }

  /// Returns a strategy in which each wait is twice as long as the previous one.
  public static func exponential(from first: Duration) -> Self {
    Self(kind: .series(first, limited(first) * 2) { $1 * 2 })
  }

  /// Returns a strategy in which the waits are 0, 1, 1, 2, 3, 5 … times the unit.
  public static func fibonacci(_ unit: Duration) -> Self { Self(kind: .series(.zero, unit) { $0 + $1 }) }

  /// Returns a strategy in which the waits have random lengths within a range.
  ///
  /// - Parameters:
  ///   - range: The shortest and the longest wait.
  ///   - generator: The source of randomness, which is copied for each use of the strategy.
  public static func random(
    in range: ClosedRange<Duration>,
    using generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) -> Self {
    Self(kind: .random(range, generator))
  }

  /// Returns a strategy with the same waits, except that none is longer than a limit.
  public func capped(at limit: Duration) -> Self {
    var capped = self
    capped.cap = min(cap, limit)
    return capped
  }

  /// Returns the waits, starting with the first.
  public func waits() -> Waits { Waits(self) }
}

extension WaitStrategy {
  /// Returns the given wait, limited so that the sum of two waits cannot overflow.
  private static func limited(_ wait: Duration) -> Duration { min(max(wait, .zero - longest), longest) }

  /// An endless sequence of a strategy's waits.
  public struct Waits: Sequence, IteratorProtocol, Sendable {
    private var strategy: WaitStrategy

    fileprivate init(_ strategy: WaitStrategy) { self.strategy = strategy }

    public mutating func next() -> Duration? {
      Swift.max(.zero, Swift.min(takeNext(), strategy.cap, WaitStrategy.longest))
    }

    private mutating func takeNext() -> Duration {
      switch strategy.kind {
      case .series(let wait, let following, let next):
        let following = limited(following)
        strategy.kind = .series(following, next(limited(wait), following), next: next)
        return wait
      case .random(let range, var generator):
        let attoseconds = range.lowerBound.attoseconds...range.upperBound.attoseconds
        let wait = Int128.random(in: attoseconds, using: &generator)
        strategy.kind = .random(range, generator)
        return Duration(attoseconds: wait)
      }
    }
  }
}
