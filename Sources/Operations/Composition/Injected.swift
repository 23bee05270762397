/// An operation that waits for its dependencies, creates another operation from their outputs, and runs that operation.
///
/// The created operation runs as a child, so its own conditions and categories apply. If a dependency failed,
/// this operation fails with ``InjectionError``. If a dependency was cancelled or skipped, this operation is
/// cancelled or skipped as well.
public struct Injected<Made: Operation>: Operation {
  public let name: String
  public let dependencies: [any OperationDependency]
  private let make: @Sendable () async throws -> Made

  /// Creates an operation whose child is made from the outputs of other operations. The outputs can have different
  /// types. `make` receives the outputs in the order of the handles.
  public init<each Input: Sendable>(
    _ name: String? = nil, from handles: repeat OperationHandle<each Input>,
    make: @escaping @Sendable (repeat each Input) throws -> Made
  ) {
    var dependencies: [any OperationDependency] = []
    repeat dependencies.append(each handles)
    self.init(name, dependencies) { try make(repeat try await (each handles).injectedOutput) }
  }

  /// Creates an operation whose child is made from any number of outputs of the same type. `make` receives the outputs
  /// in the order of the handles.
  public init<Input: Sendable>(
    _ name: String? = nil, from handles: [OperationHandle<Input>],
    make: @escaping @Sendable ([Input]) throws -> Made
  ) {
    self.init(name, handles) {
      var inputs: [Input] = []
      for handle in handles { inputs.append(try await handle.injectedOutput) }
      return try make(inputs)
    }
  }

  /// Creates an operation whose child is made from an optional output. If the output is `nil`, this operation
  /// fails with ``InjectionError/missingResult(dependency:)``.
  public init<Input: Sendable>(
    _ name: String? = nil, requiring handle: OperationHandle<Input?>,
    make: @escaping @Sendable (Input) throws -> Made
  ) {
    self.init(name, [handle]) {
      guard let input = try await handle.injectedOutput else {
        throw InjectionError.missingResult(dependency: handle.name)
      }
      return try make(input)
    }
  }

  private init(
    _ name: String?, _ dependencies: [any OperationDependency],
    make: @escaping @Sendable () async throws -> Made
  ) {
    self.name = name ?? String(describing: Made.self)
    self.dependencies = dependencies
    self.make = make
  }

  public func execute(_ context: OperationContext) async throws -> Made.Output {
    try await context.run(make())
  }
}

extension OperationHandle {
  /// The operation's output. If the operation failed, its error is thrown together with the operation's name.
  fileprivate var injectedOutput: Output {
    get async throws {
      do {
        return try await value
      } catch let error where error is CancellationError || error is OperationSkipped {
        throw error
      } catch {
        throw InjectionError.dependencyFailed(dependency: name, error)
      }
    }
  }
}

/// A reason why an operation could not be made from the outputs of other operations.
public enum InjectionError: CompoundError, CustomStringConvertible {
  /// The dependency failed.
  case dependencyFailed(dependency: String, any Error)
  /// The dependency succeeded with the output `nil`, but a value is required.
  case missingResult(dependency: String)

  public var errors: [any Error] { if case .dependencyFailed(_, let error) = self { [error] } else { [] } }

  public var description: String {
    switch self {
    case .dependencyFailed(let name, let error): "“\(name)”, whose result is needed, failed: \(error)"
    case .missingResult(let name): "“\(name)” gave no result, and one is required."
    }
  }
}
