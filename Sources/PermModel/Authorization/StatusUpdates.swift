extension Authorizer {
  /// The status now, and then every change: by an answer, by another process, by time, or because the machine
  /// has changed. Equal statuses are not repeated; who is slow gets the newest.
  ///
  /// Ends with its consumer, or when the desk can no longer be watched. That a process or session has ended, on
  /// which a decision depends, is seen with the next change.
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
    // Watching begins before the first look, so that nothing happens unseen between the two.
    guard let decisions = try? desk.decisionChanges() else { return }
    let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in decisions { signal.yield() }
        signal.finish()
      }
      let paths = capability.probedPaths(in: environment)
      if !paths.isEmpty {
        group.addTask { for await _ in PathWatcher(paths: paths).changes() { signal.yield() } }
      }
      await reportEachChange(of: capability, on: signals, wake: { signal.yield() }, report)
      group.cancelAll()
    }
  }

  private func reportEachChange<C: CapabilityType>(
    of capability: C, on signals: AsyncStream<Void>, wake: @escaping @Sendable () -> Void,
    _ report: (Authorization<C.Status>) -> Void
  ) async {
    var last: Authorization<C.Status>?
    var timer: Task<Void, Never>?
    defer { timer?.cancel() }
    for await _ in signals {
      guard let (found, end) = try? await statusAndEnd(of: capability) else { return }
      timer?.cancel()
      timer = end.map { end in
        Task { [desk] in
          do { try await desk.sleep(for: end - desk.now) } catch { return }
          wake()
        }
      }
      if found != last { report(found) }
      last = found
    }
  }

  /// The status, and when the first of the decisions that it is made of ends by itself.
  private func statusAndEnd<C: CapabilityType>(
    of capability: C
  ) async throws -> (Authorization<C.Status>, Timestamp?) {
    let (facts, standing) = try await look(at: capability)
    let ends = standing.decisions.values.compactMap { decision -> Timestamp? in
      if case .until(let deadline) = decision.lifetime { deadline.wall } else { nil }
    }
    return (result(.known, capability, facts), ends.min())
  }
}
