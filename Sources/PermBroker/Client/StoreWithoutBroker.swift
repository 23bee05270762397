import Machine
import Operations
import PermModel

/// The store of a program that asks while no broker is there. It is opened when it is first needed.
final class StoreWithoutBroker: Sendable {
  let environment: StoreEnvironment
  private let path: String?
  private let opened = Lock<(any PermissionStore)?>(nil)

  /// - Parameter path: Where the store is; `nil` where nothing says which folder is home.
  init(path: String?, environment: StoreEnvironment) {
    self.path = path
    self.environment = environment
  }

  /// A store that is open already.
  init(_ store: any PermissionStore) {
    path = nil
    environment = store.environment
    opened.withLock { $0 = store }
  }

  func open() throws -> any PermissionStore {
    if let store = opened.withLock({ $0 }) { return store }
    guard let path else { throw BrokerSocketError.nobodyListens }
    let store = try SQLiteStore(path: path, environment: environment)
    return opened.withLock { opened in
      if let other = opened { return other }
      opened = store
      return store
    }
  }

  /// Puts a request into the store, and waits until somebody answers it there, or it gives up.
  ///
  /// - Throws: `CancellationError` when the task is cancelled: the request is then withdrawn, unless it has ended.
  func answer(to request: Request) async throws -> RequestEnd {
    let store = try open()
    // Asked for before the request is there, so that no answer is missed.
    let changes = try store.changes()
    if case .ended(let end) = try store.open(request) { return end }
    return try await withThrowingTaskGroup(of: RequestEnd.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        for try await change in changes {
          let entries = change.entries.lazy.filter { $0.request == request.id }
          if let end = entries.compactMap(RequestEnd.init).first { return end }
        }
        try store.close(request.id, .withdrawn, by: .library)
        throw CancellationError()
      }
      if let deadline = request.givesUpAt {
        let patience = deadline - environment.now().wall
        group.addTask {
          try await Task.sleep(for: patience)
          try store.close(request.id, .timedOut, by: .library)
          return .timedOut
        }
      }
      guard let end = try await group.next() else { throw CancellationError() }
      return end
    }
  }
}
