/// An error that contains the errors that caused it.
public protocol CompoundError: Error {
  /// The errors that caused this one, in an order that depends on the type of the compound error.
  var errors: [any Error] { get }
}

extension CompoundError {
  /// Returns the first error of a given type. Nested compound errors, for instance those of groups, are searched too.
  public func first<Wanted: Error>(_ type: Wanted.Type) -> Wanted? {
    errors.lazy.compactMap { $0 as? Wanted ?? ($0 as? any CompoundError)?.first(type) }.first
  }
}

/// The error of an operation that did not execute because conditions failed. It contains all failed
/// conditions, in the order in which they were attached to the operation.
public struct ConditionsFailed: CompoundError, CustomStringConvertible {
  public let failures: [ConditionFailure]
  public var errors: [any Error] { failures.map(\.error) }

  public init(_ failures: [ConditionFailure]) { self.failures = failures }

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
