/// Describes work that a queue runs once everything it waits for has happened.
///
/// An operation is a value or a final class; adding it to a queue gives a handle, and the handle, not the
/// operation, is what has a state. The same value may be added twice and is then two pieces of work.
public protocol Operation<Output>: Sendable {
  associatedtype Output: Sendable

  /// What logs, explanations and the screen call it. The type's name unless given.
  var name: String { get }

  /// What must hold before it executes, in the order in which remedies run. Read once, when it is added.
  var conditions: [any OperationCondition] { get }

  /// The operations whose output it needs, before those that it is added `after:`. Read once, when it is added; not
  /// read of a condition's remedy.
  var dependencies: [any OperationDependency] { get }

  /// The observers of its steps. Read once, when it is added.
  var observers: [any OperationObserver] { get }

  /// Does the work. Cancelling the operation cancels the task that this runs in; ending is up to the work.
  func execute(_ context: OperationContext) async throws -> Output
}

extension Operation {
  // `String(describing:)` gives the same and takes a microsecond, more than all else that a short operation needs.
  public var name: String { _typeName(Self.self, qualified: false) }
  public var conditions: [any OperationCondition] { [] }
  public var dependencies: [any OperationDependency] { [] }
  public var observers: [any OperationObserver] { [] }
}
