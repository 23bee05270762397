/// An operation that runs another one and, if the other one fails, returns `nil` instead of failing.
///
/// The wrapped operation runs as a child, so failures of its conditions are also ignored. If the wrapped
/// operation is cancelled or skipped, this operation is cancelled or skipped as well.
public struct IgnoringErrors<Wrapped: Operation>: Operation {
  public let name: String
  private let operation: Wrapped

  public init(_ operation: Wrapped) {
    name = operation.name
    self.operation = operation
  }

  public func execute(_ context: OperationContext) async throws -> Wrapped.Output? {
    do {
      return try await context.run(operation)
    } catch let error where error is CancellationError || error is OperationSkipped {
      throw error
    } catch {
      return nil
    }
  }
}
