/// A reason why an operation cannot wait for another one.
public enum DependencyError: Error, Equatable, CustomStringConvertible {
  /// The other operation is in another queue. Add both to one queue, or wait for it inside the operation.
  case anotherQueue(operation: String)
  /// The other operation cannot end before this one, so both would wait forever.
  case cycle(operation: String)

  public var description: String {
    switch self {
    case .anotherQueue(let name):
      "“\(name)” is in another queue, so nothing here can be added after it. Add both to the same queue."
    case .cycle(let name):
      "“\(name)” waits for this operation, so this operation cannot wait for it."
    }
  }
}
