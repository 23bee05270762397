import Machine

/// A store of plain values, for tests and for data that need not outlive the process.
public final class MemoryStore: PermissionStore {
  package let environment: StoreEnvironment
  package var readOnlyReason: String? { nil }

  private let rows = Lock(MemoryRows())
  private let signals = StoreSignals()

  public init(environment: StoreEnvironment) {
    self.environment = environment
  }

  package func changes(since position: JournalEntry.ID?) throws(StoreError) -> StoreChanges {
    let newest = try read { $0.lastEntryID() }
    return StoreChanges(since: position ?? newest, signals: signals) { [self] id throws(StoreError) in
      try journal(.all, .newer(than: id, StoreChanges.batch))
    }
  }
}

extension MemoryStore: TransactionalStore {
  func read<T: Sendable>(_ body: (MemoryRows) throws -> T) throws(StoreError) -> T {
    let snapshot = rows.withLock { $0 }
    return try storeErrors(at: "memory") { try body(snapshot) }
  }

  func glance<T: Sendable>(_ body: (MemoryRows) throws -> T) throws(StoreError) -> T { try read(body) }

  func write<T: Sendable>(_ body: (inout MemoryRows) throws -> T) throws(StoreError) -> T {
    let result = rows.withLock { rows in
      Result<T, any Error> {
        var changed = rows
        let value = try body(&changed)
        rows = changed
        return value
      }
    }
    let value = try storeErrors(at: "memory") { try result.get() }
    signals.send(.changed)
    return value
  }
}
