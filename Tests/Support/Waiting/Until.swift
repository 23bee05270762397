/// Waits until a condition holds, by checking it again and again. This is only for conditions that cannot be awaited.
///
/// - Throws: `CancellationError` when the test's time limit is over, so that a condition that never holds fails its
///   test, and does not keep the run from ending.
package func until(_ condition: () async throws -> Bool) async throws {
  while try await !condition() {
    // Looking again without a pause would keep a processor from what is waited for.
    try await Task.sleep(for: .milliseconds(1))
  }
}
