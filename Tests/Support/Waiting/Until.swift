/// Waits until a condition holds that nothing announces when it changes. What can be awaited is awaited instead.
///
/// - Throws: `CancellationError` when the test's time limit is over, so that a condition that never holds fails its
///   test, and does not keep the run from ending.
package func until(_ condition: () async throws -> Bool) async throws {
  while try await !condition() {
    try Task.checkCancellation()
    await Task.yield()
  }
}
