/// The limits on how long an operation may wait for each thing, and on how long it may execute. `nil` is no limit.
public struct Deadlines: Sendable, Equatable {
  /// The limit for all dependencies to end, counted from when the operation is added.
  public var dependencies: Duration?
  /// The limit for getting its categories, counted from when it requests them.
  public var exclusion: Duration?
  /// The limit for its conditions' remedies, which may ask a person. Counted from the start of the first remedy.
  public var human: Duration?
  /// The limit for its work. Once it has passed, the work's task is cancelled.
  public var execution: Duration?

  /// No limits.
  public static let none = Deadlines()

  /// Creates deadlines. None may be negative, or the operation fails with `DeadlineError.negative` at once.
  public init(
    dependencies: Duration? = nil, exclusion: Duration? = nil, human: Duration? = nil,
    execution: Duration? = nil
  ) {
    self.dependencies = dependencies
    self.exclusion = exclusion
    self.human = human
    self.execution = execution
  }

  /// The kinds of waiting, and the work, that a deadline can limit.
  public enum Kind: String, Sendable, CaseIterable {
    case dependencies
    case exclusion
    case human
    case execution
  }

  /// The limit for one kind of waiting, or for the work.
  public subscript(kind: Kind) -> Duration? {
    switch kind {
    case .dependencies: dependencies
    case .exclusion: exclusion
    case .human: human
    case .execution: execution
    }
  }

  /// The first negative limit.
  var negative: (kind: Kind, limit: Duration)? {
    for kind in Kind.allCases {
      if let limit = self[kind], limit < .zero { return (kind, limit) }
    }
    return nil
  }
}

/// A reason why a deadline made an operation fail.
public enum DeadlineError: Error, Equatable, CustomStringConvertible {
  /// The operation did not make progress within the limit.
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
