/// The limits on how long an operation may spend on each kind of waiting, and on how long it may execute.
/// `nil` means no limit.
public struct Deadlines: Sendable, Equatable {
  /// The time within which all dependencies must end, counted from when the operation is added.
  public var dependencies: Duration?
  /// The time within which the operation must get its categories, counted from when it requests them.
  public var exclusion: Duration?
  /// The time within which the remedies of the operation's conditions must end, counted from the start of the
  /// first remedy. It is called `human` because a remedy might prompt a person.
  public var human: Duration?
  /// The time within which the operation's work must end. Once this time has passed, the work's task is cancelled.
  public var execution: Duration?

  /// No limits.
  public static let none = Deadlines()

  /// Creates deadlines. If a deadline is negative, the operation fails with `DeadlineError.negative` as soon
  /// as it is added.
  public init(
    dependencies: Duration? = nil, exclusion: Duration? = nil, human: Duration? = nil,
    execution: Duration? = nil
  ) {
    self.dependencies = dependencies
    self.exclusion = exclusion
    self.human = human
    self.execution = execution
  }

  /// The subject of a deadline: a kind of waiting, or the operation's work.
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

  /// The first negative limit and its kind; `nil` if no limit is negative.
  var negative: (kind: Kind, limit: Duration)? {
    for kind in Kind.allCases {
      if let limit = self[kind], limit < .zero { return (kind, limit) }
    }
    return nil
  }
}

/// A reason why a deadline made an operation fail.
public enum DeadlineError: Error, Equatable, CustomStringConvertible {
  /// The given kind of waiting, or the operation's work, did not end within the limit.
  case exceeded(Deadlines.Kind, after: Duration)
  /// The operation was added with a negative deadline.
  case negative(Deadlines.Kind, Duration)

  public var description: String {
    switch self {
    case .exceeded(.dependencies, let limit): "The operations that it waits for did not end within \(limit)."
    case .exceeded(.exclusion, let limit): "It did not get its categories within \(limit)."
    case .exceeded(.human, let limit): "There was no answer within \(limit)."
    case .exceeded(.execution, let limit): "Its work did not end within \(limit)."
    case .negative(let kind, let limit):
      "The deadline for \(kind.rawValue) is \(limit). A deadline is zero or more; leave it out for no limit."
    }
  }
}
