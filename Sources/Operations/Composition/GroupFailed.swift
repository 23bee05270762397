/// Why a group failed: all its children that did, in the order in which they were added.
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

  /// What the group's own body threw.
  public let bodyError: (any Error)?

  public init(children: [Child], bodyError: (any Error)? = nil) {
    self.children = children
    self.bodyError = bodyError
  }

  /// All errors, those of groups inside this one in their place; last what the body threw.
  public var errors: [any Error] {
    let own = children.map(\.error) + (bodyError.map { [$0] } ?? [])
    return own.flatMap { ($0 as? GroupFailed)?.errors ?? [$0] }
  }

  /// The first error of a type, also inside groups, attempts and conditions.
  public func first<Wanted: Error>(_ type: Wanted.Type) -> Wanted? {
    errors.lazy.compactMap { find(type, in: $0) }.first
  }

  public var description: String {
    let own = children.map { "“\($0.operation.name)” failed: \($0.error)" }
    return (own + (bodyError.map { ["the group failed: \($0)"] } ?? [])).joined(separator: "; ")
  }
}

/// The error, or one that it is made of, if that is of a type.
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

/// Why a child cannot be added to a group.
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
