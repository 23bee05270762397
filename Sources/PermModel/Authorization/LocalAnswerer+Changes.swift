import Machine
import Operations

// The part of the answerer that notices changes to decisions.

extension LocalAnswerer {
  package func decisionChanges(
    on atoms: Set<Atom>, _ values: Resolution, by judge: Judge
  ) throws -> AsyncStream<Void> {
    // The subscription begins before the first look, so that no change between the two is missed.
    let changes = try store.changes()
    return .filled { [self] send in
      await follow(changes) {
        send(())
        return try? await self.judgement(on: atoms, values, by: judge).standing
      }
    }
  }

  /// Calls `look` immediately, after every change to decisions, and when a decision that `look` last returned expires.
  /// Returns when the store can no longer be watched. The next attempt to read the store then throws the reason.
  private func follow(_ changes: StoreChanges, _ look: @escaping @Sendable () async -> DecisionsInForce?)
    async
  {
    let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    signal.yield()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          for try await change in changes where change.entries.contains(where: \.concernsDecisions) {
            signal.yield()
          }
        } catch {}
        signal.finish()
      }
      var end: Task<Void, Never>?
      for await _ in signals {
        end?.cancel()
        end = await look().map { standing in
          Task.quiet { if await self.untilOneEnds(of: standing.lifetimes) { signal.yield() } }
        }
      }
      end?.cancel()
      group.cancelAll()
    }
  }

  /// Waits until one of the lifetimes might be over, and returns `true`. Returns `false` if the task is cancelled, or
  /// if it is impossible to wait for any of the lifetimes.
  private func untilOneEnds(of lifetimes: Set<Lifetime>) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      for lifetime in lifetimes {
        group.addTask { [self] in
          guard case .until(let deadline) = lifetime else {
            return await store.environment.untilEnd(lifetime)
          }
          return (try? await clock.sleep(for: deadline.wall - now)) != nil
        }
      }
      defer { group.cancelAll() }
      return await group.contains(true)
    }
  }
}

// MARK: - What was taken back

extension LocalAnswerer {
  package func journalPosition() throws(StoreError) -> JournalEntry.ID? {
    try store.journal(.all, .newest(1)).first?.id ?? 0
  }

  package func hasTakenBack(
    from subject: Subject, _ capability: String, since position: JournalEntry.ID
  ) throws(StoreError) -> Bool {
    let forAll = JournalFilter(kinds: [.suspended, .restored])
    guard try store.journal(forAll, .newer(than: position, 1)).isEmpty else { return true }
    let kinds: Set<JournalEntry.Kind> = [.decided, .forgotten, .expired, .undone, .redone, .imported]
    let changes = try store.journal(
      JournalFilter(capability: capability, kinds: kinds), .newer(than: position, StoreChanges.batch))
    // If there are more than can be looked at, it is safe to say that something was taken back.
    return changes.count == StoreChanges.batch || changes.contains { $0.takesBack(from: subject) }
  }
}

extension JournalEntry {
  /// Whether the change removes an allow that holds for a program, or adds a denial that does.
  fileprivate func takesBack(from subject: Subject) -> Bool {
    guard let gone = after ?? before, gone.verdict == (after == nil ? .allow : .deny) else { return false }
    return gone.subject.isEveryone || gone.subject.label == subject.label && gone.holds(for: subject)
  }
}

extension DecisionsInForce {
  /// The lifetimes of all decisions, also those for everyone, and of the mute, except *forever*.
  fileprivate var lifetimes: Set<Lifetime> {
    var lifetimes = Set((decisions.values + everyone).map(\.lifetime))
    if let mute { lifetimes.insert(mute.lifetime) }
    return lifetimes.subtracting([.forever])
  }
}

extension JournalEntry {
  /// Whether this entry might record a change to the decisions that are in force for a program.
  package var concernsDecisions: Bool {
    if changesDecision { return true }
    switch kind {
    case .suspended, .resumed, .undone, .redone, .imported, .restored: return true
    default: return false
    }
  }
}
