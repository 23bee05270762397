import Machine

extension Authorizer {
  /// Returns a stream of the status now and after every change: by an answer, by another process, by time, by the end
  /// of the process or session that a decision was for, or by a change of the machine. Equal statuses are not repeated;
  /// slow consumers see only the latest.
  ///
  /// Ends with its consumer, or when the desk can no longer be watched.
  public func statusUpdates<C: CapabilityType>(of capability: C) -> AsyncStream<Authorization<C.Status>> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        await follow(capability) { continuation.yield($0) }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func follow<C: CapabilityType>(
    _ capability: C, _ report: @Sendable (Authorization<C.Status>) -> Void
  ) async {
    // Watching begins before the first look, so that no change is missed between the two.
    guard let decisions = try? desk.decisionChanges(for: subject, capability: capability.name) else { return }
    let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in decisions { signal.yield() }
        signal.finish()
      }
      let paths = capability.probedPaths(in: environment)
      if !paths.isEmpty {
        group.addTask { for await _ in PathWatches.shared.changes(of: paths) { signal.yield() } }
      }
      await reportEachChange(of: capability, on: signals, report)
      group.cancelAll()
    }
  }

  private func reportEachChange<C: CapabilityType>(
    of capability: C, on signals: AsyncStream<Void>, _ report: (Authorization<C.Status>) -> Void
  ) async {
    var last: Authorization<C.Status>?
    for await _ in signals {
      guard let found = try? await authorization(of: capability) else { return }
      if found != last { report(found) }
      last = found
    }
  }
}
