public import Foundation
public import Operations

extension ComposedOperation {
  /// Wraps an operation of Foundation.
  ///
  /// ```swift
  /// let export = Foundation.BlockOperation { print("exporting") }
  /// let handle = queue.add(ComposedOperation(export, conditions: [MutuallyExclusive("disc")]))
  /// ```
  ///
  /// - Parameter name: The operation's own name, or that of its type, unless given.
  public init<Kind: Foundation.Operation>(
    _ operation: Kind, name: String? = nil, conditions: [any OperationCondition] = [],
    observers: [any OperationObserver] = []
  ) where Wrapped == FoundationOperation<Kind> {
    self.init(FoundationOperation(operation), name: name, conditions: conditions, observers: observers)
  }
}
