/// An operation that runs another one and returns `nil`, rather than failing, if that one fails.
///
/// The wrapped operation runs as a child, so failures of its conditions are ignored too. If it is cancelled or skipped,
/// so is this operation.
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
