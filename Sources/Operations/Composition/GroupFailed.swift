/// The reason why a group failed: all failed children, in the order in which they were added, and the body's error.
public struct GroupFailed: Error, CustomStringConvertible {
  /// One child that failed.
  public struct Child: Sendable {
    public let operation: OperationReference
    public let error: any Error

    public init(operation: OperationReference, error: any Error) {
      self.operation = operation
      self.error = error
    }
  }

  public let children: [Child]

  /// The error that the group's own body threw.
  public let bodyError: (any Error)?

  public init(children: [Child], bodyError: (any Error)? = nil) {
    self.children = children
    self.bodyError = bodyError
  }

  /// All errors, with nested groups replaced by their own errors. The body's error comes last.
  public var errors: [any Error] {
    let own = children.map(\.error) + (bodyError.map { [$0] } ?? [])
    return own.flatMap { ($0 as? GroupFailed)?.errors ?? [$0] }
  }

  /// Returns the first error of a given type, including those inside groups, attempts and conditions.
  public func first<Wanted: Error>(_ type: Wanted.Type) -> Wanted? {
    errors.lazy.compactMap { find(type, in: $0) }.first
  }

  public var description: String {
    let own = children.map { "“\($0.operation.name)” failed: \($0.error)" }
    return (own + (bodyError.map { ["the group failed: \($0)"] } ?? [])).joined(separator: "; ")
  }
}

/// Returns the error, or the first error that it contains, that is of a given type.
func find<Wanted: Error>(_ type: Wanted.Type, in error: any Error) -> Wanted? {
  if let error = error as? Wanted { return error }
  return switch error {
  case let error as GroupFailed: error.first(type)
  case let error as RetriesFailed: error.first(type)
  case let error as ConditionsFailed: error.first(type)
  case InjectionError.dependencyFailed(_, let error): find(type, in: error)
  default: nil
  }
}

/// A reason why a child cannot be added to a group.
public enum GroupError: Error, Equatable, CustomStringConvertible {
  /// The group's body has returned and all its children have ended.
  case hasEnded(group: String, child: String)

  public var description: String {
    switch self {
    case .hasEnded(let group, let child):
      "“\(child)” was added to the group “\(group)” after that had ended. Add it from the group's body or a child."
    }
  }
}
