/// A condition under which questions are refused without a person. During a panic, nothing can be confirmed.
package struct QuestionRefusal: Sendable {
  let isDemanded: @Sendable () -> Bool
  private let changes: @Sendable () -> AsyncStream<Void>

  /// - Parameters:
  ///   - isDemanded: Returns whether questions are refused now.
  ///   - changes: Returns a stream that reports when that might have changed. Its first element arrives immediately.
  package init(
    isDemanded: @escaping @Sendable () -> Bool, changes: @escaping @Sendable () -> AsyncStream<Void>
  ) {
    self.isDemanded = isDemanded
    self.changes = changes
  }

  /// Waits until questions are refused. Returns `false` if the task is cancelled, or if the condition can no longer be
  /// watched.
  func untilDemanded() async -> Bool {
    for await _ in changes() where isDemanded() { return true }
    return false
  }
}
