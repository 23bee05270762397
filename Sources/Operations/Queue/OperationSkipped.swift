/// Thrown to whoever wants the output of an operation that a condition kept from running.
public struct OperationSkipped: Error, Equatable, CustomStringConvertible {
  public let reason: String

  public init(reason: String) { self.reason = reason }

  public var description: String { "The operation was skipped: \(reason)" }
}
