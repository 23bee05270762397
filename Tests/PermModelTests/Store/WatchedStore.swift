import Dispatch
import Machine

@testable import PermModel

/// A store that counts the transactions that change it, and that can fail or take long.
final class WatchedStore: PermissionStore {
  private struct State {
    var writes = 0
    var failure: StoreError?
    /// The signal that lets changes begin; `nil` if they need not wait.
    var gate: DispatchSemaphore?
  }

  private let base: any PermissionStore
  private let state = Lock(State())
  /// A stream with one element for each attempt to change the store, after the attempt.
  let attempts: AsyncStream<Void>
  private let attempted: AsyncStream<Void>.Continuation

  init(_ base: any PermissionStore) {
    self.base = base
    (attempts, attempted) = AsyncStream.makeStream(of: Void.self)
  }

  /// The number of transactions that changed the store. A file is flushed once for each of them.
  var writes: Int { state.withLock { $0.writes } }

  /// Makes every change fail, until it is called with `nil`.
  func fail(_ failure: StoreError?) { state.withLock { $0.failure = failure } }

  /// Makes every change wait until ``resume()`` is called.
  func pause() { state.withLock { $0.gate = DispatchSemaphore(value: 0) } }

  func resume() {
    let gate = state.withLock { state in
      defer { state.gate = nil }
      return state.gate
    }
    gate?.signal()
  }

  var environment: StoreEnvironment { base.environment }
  var readOnlyReason: String? { base.readOnlyReason }
  var signals: StoreSignals { base.signals }

  func version() throws(StoreError) -> Int { try base.version() }

  func read<T: Sendable>(_ body: (StoreRows) throws -> T) throws(StoreError) -> T { try base.read(body) }

  func glance<T: Sendable>(_ body: (StoreRows) throws -> T) throws(StoreError) -> T { try base.glance(body) }

  func write<T: Sendable>(_ body: (StoreRows) throws -> T) throws(StoreError) -> T {
    defer { attempted.yield() }
    if let gate = state.withLock(\.gate) {
      gate.wait()
      gate.signal()
    }
    if let failure = state.withLock(\.failure) { throw failure }
    let value = try base.write(body)
    state.withLock { $0.writes += 1 }
    return value
  }
}
