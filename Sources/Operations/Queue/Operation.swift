/// Work that a queue runs as soon as everything that the work waits for has happened.
///
/// An operation is a value or an instance of a final class. Adding an operation to a queue returns a handle.
/// The handle has a state, but the operation has none: if the same value is added twice, its work runs twice.
public protocol Operation<Output>: Sendable {
  associatedtype Output: Sendable

  /// The name used in logs, in explanations and on the screen. The default is the type's name.
  var name: String { get }

  /// The conditions that must hold before the operation executes, in the order in which their remedies run.
  /// The queue reads this property once, when the operation is added.
  var conditions: [any OperationCondition] { get }

  /// The operations whose output this operation needs. They precede the dependencies that are passed as
  /// `after:`. The queue reads this property once, when the operation is added, and ignores it if the
  /// operation runs as a condition's remedy.
  var dependencies: [any OperationDependency] { get }

  /// The observers that are notified of the operation's steps. The queue reads this property once, when the
  /// operation is added.
  var observers: [any OperationObserver] { get }

  /// Performs the work. Cancelling the operation cancels the task that runs this method. After that, the work itself
  /// decides when to end.
  func execute(_ context: OperationContext) async throws -> Output
}

extension Operation {
  // `String(describing:)` returns the same name but takes a microsecond. Everything else in a short operation takes
  // less time than that.
  public var name: String { _typeName(Self.self, qualified: false) }
  public var conditions: [any OperationCondition] { [] }
  public var dependencies: [any OperationDependency] { [] }
  public var observers: [any OperationObserver] { [] }
}

/// An operation that runs a closure.
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
