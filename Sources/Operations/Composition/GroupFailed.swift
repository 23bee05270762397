/// The error of a group that failed. It contains all failed children, in the order in which they were added,
/// and the error of the group's body, if any.
public struct GroupFailed: CompoundError, CustomStringConvertible {
  /// A child that failed, and its error.
  public struct Child: Sendable {
    public let operation: OperationReference
    public let error: any Error

    public init(operation: OperationReference, error: any Error) {
      self.operation = operation
      self.error = error
    }
  }

  public let children: [Child]

  /// The error that the group's own body threw; `nil` if it threw none.
  public let bodyError: (any Error)?

  public init(children: [Child], bodyError: (any Error)? = nil) {
    self.children = children
    self.bodyError = bodyError
  }

  /// All errors, with the body's error last. The error of a nested group is replaced by the errors that it contains.
  public var errors: [any Error] {
    let own = children.map(\.error) + (bodyError.map { [$0] } ?? [])
    return own.flatMap { ($0 as? GroupFailed)?.errors ?? [$0] }
  }

  public var description: String {
    let own = children.map { "“\($0.operation.name)” failed: \($0.error)" }
    return (own + (bodyError.map { ["the group failed: \($0)"] } ?? [])).joined(separator: "; ")
  }
}

/// A reason why a child cannot be added to a group.
public enum GroupError: Error, Equatable, CustomStringConvertible {
  /// The child was added after the group's body had returned and all of the group's children had ended.
  case hasEnded(group: String, child: String)

  public var description: String {
    switch self {
    case .hasEnded(let group, let child):
      "“\(child)” was added to the group “\(group)” after that had ended. Add it from the group's body or a child."
    }
  }
}
