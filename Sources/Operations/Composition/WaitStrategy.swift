import Machine

/// How long to wait before each repetition.
///
/// No wait is negative, and none is longer than `longest`, however long the repetitions go on.
public struct WaitStrategy: Sendable {
  fileprivate enum Kind: Sendable {
    case constant(Duration)
    case incrementing(from: Duration, by: Duration)
    case exponential(from: Duration)
    case fibonacci(Duration)
    case random(ClosedRange<Duration>, any RandomNumberGenerator & Sendable)
  }

  /// A hundred years.
  public static let longest = Duration.longestWait

  fileprivate var kind: Kind
  fileprivate var cap = WaitStrategy.longest

  /// Does not wait.
  public static let immediate = constant(.zero)

  /// Waits always the same time.
  public static func constant(_ wait: Duration) -> Self { Self(kind: .constant(wait)) }

  /// Waits longer each time, by the same step.
  public static func incrementing(from first: Duration, by step: Duration) -> Self {
    Self(kind: .incrementing(from: first, by: step))
  }

  /// Waits twice as long each time.
  public static func exponential(from first: Duration) -> Self { Self(kind: .exponential(from: first)) }

  /// Waits 0, 1, 1, 2, 3, 5 … times the unit.
  public static func fibonacci(_ unit: Duration) -> Self { Self(kind: .fibonacci(unit)) }

  /// Waits a random time within the range.
  ///
  /// - Parameter generator: Each use of the strategy starts with its own copy.
  public static func random(
    in range: ClosedRange<Duration>,
    using generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) -> Self {
    Self(kind: .random(range, generator))
  }

  /// The same waits, none longer than the limit.
  public func capped(at limit: Duration) -> Self {
    var capped = self
    capped.cap = min(cap, limit)
    return capped
  }

  /// The waits, from the first.
  public func waits() -> Waits { Waits(self) }
}

extension WaitStrategy {
  /// The waits of a strategy, one after the other, without end.
  public struct Waits: Sequence, IteratorProtocol, Sendable {
    private var strategy: WaitStrategy
    private var current: Duration
    private var following: Duration

    fileprivate init(_ strategy: WaitStrategy) {
      self.strategy = strategy
      (current, following) =
        switch strategy.kind {
        case .constant(let wait): (wait, wait)
        case .incrementing(let first, let step): (first, Self.limited(first) + Self.limited(step))
        case .exponential(let first): (first, Self.limited(first) * 2)
        case .fibonacci(let unit): (.zero, unit)
        case .random: (.zero, .zero)
        }
    }

    public mutating func next() -> Duration? {
      let wait = takeCurrent()
      return Swift.max(.zero, Swift.min(wait, strategy.cap, WaitStrategy.longest))
    }

    private mutating func takeCurrent() -> Duration {
      let wait = current
      let next = Self.limited(following)
      switch strategy.kind {
      case .constant: break
      case .incrementing(_, let step): following = next + Self.limited(step)
      case .exponential: following = next * 2
      case .fibonacci: following = Self.limited(wait) + next
      case .random(let range, var generator):
        let attoseconds = range.lowerBound.attoseconds...range.upperBound.attoseconds
        let wait = Int128.random(in: attoseconds, using: &generator)
        strategy.kind = .random(range, generator)
        return Duration(attoseconds: wait)
      }
      current = next
      return wait
    }

    /// Keeps sums from overflowing.
    private static func limited(_ wait: Duration) -> Duration {
      Swift.min(Swift.max(wait, .zero - longest), longest)
    }
  }
}
