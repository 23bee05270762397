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
