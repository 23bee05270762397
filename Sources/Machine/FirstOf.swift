/// Runs several operations at once, and returns the first value that one of them produces. The others are cancelled,
/// and have ended when this returns.
///
/// - Returns: `nil` if none produced a value.
/// - Throws: The first error, if it comes before a value.
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
