/// Another operation whose failure is no failure: it gives back `nil` then.
///
/// The failures of its conditions count too, for it runs as a child. Being cancelled or skipped stays what it is.
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
