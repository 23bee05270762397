import Machine

extension Authorizer {
  /// Returns a stream that contains the current status, followed by a new status after every change. The status can
  /// change because of an answer, a change made by another process, the passage of time, the end of a decision's
  /// process or session, or a change to the machine. Equal statuses are not repeated. Slow consumers receive only the
  /// latest status.
  ///
  /// The stream ends when its consumer stops iterating, or when changes at the answerer can no longer be noticed. It has no
  /// elements if no such part of the capability can be asked for; ``authorization(of:)`` then throws why.
  public func statusUpdates<C: CapabilityType>(of capability: C) -> AsyncStream<Authorization<C.Status>> {
    .filled { await follow(capability, $0) }
  }

  private func follow<C: CapabilityType>(
    _ capability: C, _ report: @Sendable (Authorization<C.Status>) -> Void
  ) async {
    // Watching begins before the first look, so that no change between the two is missed.
    let changes = try? answerer.decisionChanges(
      on: capability.requirement.atoms, resolution(), by: judge(of: capability))
    guard let decisions = changes else { return }
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
