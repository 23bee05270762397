/// Makes an operation from what others gave back, and runs it as a child.
struct InjectedOperation<Input: Sendable, Made: Operation>: Operation {
  let name: String
  private let dependencies: [OperationHandle<Input>]
  private let make: @Sendable ([Input]) throws -> Made

  /// - Parameter dependencies: must have ended when this executes.
  init(
    name: String?, dependencies: [OperationHandle<Input>],
    make: @escaping @Sendable ([Input]) throws -> Made
  ) {
    self.name = name ?? String(describing: Made.self)
    self.dependencies = dependencies
    self.make = make
  }

  func execute(_ context: OperationContext) async throws -> Made.Output {
    var inputs: [Input] = []
    for dependency in dependencies { inputs.append(try await output(of: dependency)) }
    return try await context.run(try make(inputs))
  }

  private func output(of dependency: OperationHandle<Input>) async throws -> Input {
    do {
      return try await dependency.value
    } catch let error where error is CancellationError || error is OperationSkipped {
      throw error
    } catch {
      throw InjectionError.dependencyFailed(dependency: dependency.name, error)
    }
  }
}

/// Why an operation could not be made from what another gave back.
public enum InjectionError: Error, CustomStringConvertible {
  /// The other operation failed.
  case dependencyFailed(dependency: String, any Error)
  /// The other operation succeeded without a result, and one is required.
  case missingResult(dependency: String)

  public var description: String {
    switch self {
    case .dependencyFailed(let name, let error): "“\(name)”, whose result is needed, failed: \(error)"
    case .missingResult(let name): "“\(name)” gave no result, and one is required."
    }
  }
}
