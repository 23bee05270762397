/// The reason why an operation did not execute: all failed conditions, in the order in which they were attached.
public struct ConditionsFailed: Error, CustomStringConvertible {
  public let failures: [ConditionFailure]

  public init(_ failures: [ConditionFailure]) { self.failures = failures }

  /// Returns the first error of a given type, including those inside compound conditions.
  public func first<Wanted: Error>(_ type: Wanted.Type) -> Wanted? {
    for failure in failures {
      if let error = failure.error as? Wanted { return error }
      if let error = (failure.error as? ConditionsFailed)?.first(type) { return error }
    }
    return nil
  }

  public var description: String {
    failures.isEmpty
      ? "No condition was satisfied."
      : failures.map { "\($0.condition): \($0.error)" }.joined(separator: "; ")
  }
}

/// One condition that failed.
public struct ConditionFailure: Sendable {
  /// The condition's name.
  public let condition: String
  public let error: any Error

  public init(condition: String, error: any Error) {
    self.condition = condition
    self.error = error
  }
}
