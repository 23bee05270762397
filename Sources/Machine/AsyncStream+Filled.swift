extension AsyncStream where Element: Sendable {
  /// Creates a stream that a task fills until it ends. A slow consumer receives only the newest element. When the consumer
  /// goes away, the task is cancelled.
  package static func filled(
    by fill: @escaping @Sendable (_ send: @escaping @Sendable (Element) -> Void) async -> Void
  ) -> AsyncStream {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task.quiet {
        await fill { continuation.yield($0) }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
