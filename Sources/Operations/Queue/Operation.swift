/// Work that a queue runs once everything it waits for has happened.
///
/// An operation is a value or a final class. Adding it to a queue returns a handle, and it is the handle, not the
/// operation, that has a state. If the same value is added twice, it is two pieces of work.
public protocol Operation<Output>: Sendable {
  associatedtype Output: Sendable

  /// The name used in logs, in explanations and on the screen. The default is the type's name.
  var name: String { get }

  /// The conditions that must hold before it executes, in the order in which their remedies run. Read once, when the
  /// operation is added.
  var conditions: [any OperationCondition] { get }

  /// The operations whose output it needs. They come before those that are given with `after:`. Read once, when the
  /// operation is added; ignored if it runs as a condition's remedy.
  var dependencies: [any OperationDependency] { get }

  /// The observers of its steps. Read once, when the operation is added.
  var observers: [any OperationObserver] { get }

  /// Performs the work. Cancelling the operation cancels the task that runs this method; the work decides when to end.
  func execute(_ context: OperationContext) async throws -> Output
}

extension Operation {
  // `String(describing:)` returns the same but takes a microsecond, more than everything else in a short operation.
  public var name: String { _typeName(Self.self, qualified: false) }
  public var conditions: [any OperationCondition] { [] }
  public var dependencies: [any OperationDependency] { [] }
  public var observers: [any OperationObserver] { [] }
}

/// An operation made of a closure.
public struct BlockOperation<Output: Sendable>: Operation {
  public let name: String
  public let conditions: [any OperationCondition]
  private let body: @Sendable (OperationContext) async throws -> Output

  public init(
    _ name: String = "block", conditions: [any OperationCondition] = [],
    _ body: @escaping @Sendable (OperationContext) async throws -> Output
  ) {
    self.name = name
    self.conditions = conditions
    self.body = body
  }

  public func execute(_ context: OperationContext) async throws -> Output { try await body(context) }
}
