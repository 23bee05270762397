/// Runs several operations concurrently, and returns the first value that any of them produces. The remaining
/// operations are cancelled, and have ended when this function returns.
///
/// - Returns: `nil` if none of the operations produced a value.
/// - Throws: The first error, if it is thrown before any value is produced.
package func first<Value: Sendable>(
  of work: (@Sendable () async throws -> Value?)...
) async throws -> Value? {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    for piece in work { group.addTask(operation: piece) }
    defer { group.cancelAll() }
    for try await value in group { if let value { return value } }
    return nil
  }
}
