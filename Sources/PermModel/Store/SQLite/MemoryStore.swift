import GRDB
import Machine

/// A store in memory, for tests and for data that need not outlive the process.
public final class MemoryStore: PermissionStore {
  package let environment: StoreEnvironment
  package var readOnlyReason: String? { nil }
  package let signals = StoreSignals()

  private let database: DatabaseQueue
  private let glances = GlanceStatements()
  private let decodedRequests = DecodedRequests()
  private let changes = Lock(0)

  /// Creates an empty store.
  public init(environment: StoreEnvironment = .linux(sessionFolder: nil)) {
    self.environment = environment
    do {
      database = try DatabaseQueue(configuration: .store(label: "memory"))
      try database.inDatabase { try StoreSchema(path: "memory").migrate($0) {} }
    } catch {
      // There is no file, so this fails only if memory runs out.
      fatalError("no database can be made in memory: \(error)")
    }
  }

  deinit {
    database.inDatabase { _ in glances.clear() }
  }

  package func version() -> Int { changes.withLock(\.self) }

  package func read<T: Sendable>(_ body: (StoreRows) throws -> T) throws(StoreError) -> T {
    try transaction(.deferred, body)
  }

  package func glance<T: Sendable>(_ body: (StoreRows) throws -> T) throws(StoreError) -> T {
    try read(body)
  }

  package func write<T: Sendable>(
    surviving durability: Durability, _ body: (StoreRows) throws -> T
  ) throws(StoreError) -> T {
    let value = try transaction(.immediate, body)
    changes.withLock { $0 += 1 }
    signals.send(.changed)
    return value
  }

  private func transaction<T: Sendable>(
    _ kind: Database.TransactionKind, _ body: (StoreRows) throws -> T
  ) throws(StoreError) -> T {
    try storeErrors(at: "memory") {
      try database.inDatabase { db in
        try db.inTransaction(
          kind,
          returning: {
            try body(
              StoreRows(
                db: db, definition: environment.definition, glances: glances, decodedRequests: decodedRequests
              ))
          })
      }
    }
  }
}
