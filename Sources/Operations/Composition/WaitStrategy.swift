import Machine

/// The lengths of the waits before each repetition.
///
/// No wait is negative, and none is longer than `longest`, regardless of the number of repetitions.
public struct WaitStrategy: Sendable {
  fileprivate enum Kind: Sendable {
    case constant(Duration)
    case incrementing(from: Duration, by: Duration)
    case exponential(from: Duration)
    case fibonacci(Duration)
    case random(ClosedRange<Duration>, any RandomNumberGenerator & Sendable)
  }

  /// The longest possible wait: a hundred years.
  public static let longest = Duration.longestWait

  fileprivate var kind: Kind
  fileprivate var cap = WaitStrategy.longest

  /// A strategy without waits.
  public static let immediate = constant(.zero)

  /// Returns a strategy that always waits for the same time.
  public static func constant(_ wait: Duration) -> Self { Self(kind: .constant(wait)) }

  /// Returns a strategy in which each wait is longer than the previous one by the same step.
  public static func incrementing(from first: Duration, by step: Duration) -> Self {
    Self(kind: .incrementing(from: first, by: step))
  }

  /// Returns a strategy in which each wait is twice as long as the previous one.
  public static func exponential(from first: Duration) -> Self { Self(kind: .exponential(from: first)) }

  /// Returns a strategy that waits for 0, 1, 1, 2, 3, 5 … times the unit.
  public static func fibonacci(_ unit: Duration) -> Self { Self(kind: .fibonacci(unit)) }

  /// Returns a strategy that waits for random times within a range.
  ///
  /// - Parameter generator: The source of randomness. Each use of the strategy starts with its own copy.
  public static func random(
    in range: ClosedRange<Duration>,
    using generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) -> Self {
    Self(kind: .random(range, generator))
  }

  /// Returns a strategy with the same waits, but none longer than a limit.
  public func capped(at limit: Duration) -> Self {
    var capped = self
    capped.cap = min(cap, limit)
    return capped
  }

  /// Returns the waits, starting with the first.
  public func waits() -> Waits { Waits(self) }
}

extension WaitStrategy {
  /// An endless sequence of a strategy's waits.
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

    /// Limits a wait so that sums cannot overflow.
    private static func limited(_ wait: Duration) -> Duration {
      Swift.min(Swift.max(wait, .zero - longest), longest)
    }
  }
}
