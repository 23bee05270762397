/// How long an operation may wait for each thing, and how long it may execute. What is not given has no limit.
public struct Deadlines: Sendable, Equatable {
  /// For all dependencies to end, counted from adding.
  public var dependencies: Duration?
  /// For its categories, counted from asking for them.
  public var exclusion: Duration?
  /// For the remedies of its conditions, which is where a person is asked. Counted from the start of the first.
  public var human: Duration?
  /// For its work. When it has passed, the work's task is cancelled.
  public var execution: Duration?

  /// No limits.
  public static let none = Deadlines()

  /// - Parameters: must not be negative, or the operation fails with `DeadlineError.negative` at once.
  public init(
    dependencies: Duration? = nil, exclusion: Duration? = nil, human: Duration? = nil,
    execution: Duration? = nil
  ) {
    self.dependencies = dependencies
    self.exclusion = exclusion
    self.human = human
    self.execution = execution
  }

  /// What a deadline is for.
  public enum Kind: String, Sendable, CaseIterable {
    case dependencies
    case exclusion
    case human
    case execution
  }

  /// The limit for one kind of waiting.
  public subscript(kind: Kind) -> Duration? {
    switch kind {
    case .dependencies: dependencies
    case .exclusion: exclusion
    case .human: human
    case .execution: execution
    }
  }

  /// The first limit that is no length of time.
  var negative: (kind: Kind, limit: Duration)? {
    for kind in Kind.allCases {
      if let limit = self[kind], limit < .zero { return (kind, limit) }
    }
    return nil
  }
}

/// What is wrong about a deadline.
public enum DeadlineError: Error, Equatable, CustomStringConvertible {
  /// The operation did not get further in time.
  case exceeded(Deadlines.Kind, after: Duration)
  /// A negative deadline was given.
  case negative(Deadlines.Kind, Duration)

  public var description: String {
    switch self {
    case .exceeded(.dependencies, let limit): "The operations that it waits for did not end within \(limit)."
    case .exceeded(.exclusion, let limit): "It did not get its categories within \(limit)."
    case .exceeded(.human, let limit): "Nobody answered within \(limit)."
    case .exceeded(.execution, let limit): "Its work did not end within \(limit)."
    case .negative(let kind, let limit):
      "The deadline for \(kind.rawValue) is \(limit). A deadline is zero or more; leave it out for no limit."
    }
  }
}
