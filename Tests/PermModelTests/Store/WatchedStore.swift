import Dispatch
import Machine

@testable import PermModel

/// A store that counts the transactions that change it, and that can fail or take long.
final class WatchedStore: PermissionStore {
  private struct State {
    var writes = 0
    var failure: StoreError?
    var isPaused = false
    /// The changes that wait because the store is paused, in order of arrival.
    var held: [HeldChange] = []
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

  /// The number of transactions that changed the store.
  var writes: Int { state.withLock { $0.writes } }

  /// Makes every change fail, until it is called with `nil`.
  func fail(_ failure: StoreError?) { state.withLock { $0.failure = failure } }

  /// Makes every change wait until ``resume()`` is called, or until the test lets it go.
  func pause() { state.withLock { $0.isPaused = true } }

  func resume() {
    let held = state.withLock { state in
      defer { (state.isPaused, state.held) = (false, []) }
      return state.held
    }
    for change in held {
      change.begin()
      change.end()
    }
  }

  /// Waits until this many changes wait, and returns them in order of arrival.
  func held(_ count: Int) async -> [HeldChange] {
    while true {
      let held = state.withLock(\.held)
      if held.count >= count { return held }
      await Task.yield()
    }
  }

  var environment: StoreEnvironment { base.environment }
  var readOnlyReason: String? { base.readOnlyReason }
  var signals: StoreSignals { base.signals }

  func version() throws(StoreError) -> Int { try base.version() }

  func read<T: Sendable>(_ body: (StoreRows) throws -> T) throws(StoreError) -> T { try base.read(body) }

  func glance<T: Sendable>(_ body: (StoreRows) throws -> T) throws(StoreError) -> T { try base.glance(body) }

  func write<T: Sendable>(
    surviving durability: Durability, _ body: (StoreRows) throws -> T
  ) throws(StoreError) -> T {
    defer { attempted.yield() }
    let held = hold()
    held?.waitToBegin()
    defer { held?.waitToEnd() }
    if let failure = state.withLock(\.failure) { throw failure }
    let value = try base.write(surviving: durability, body)
    state.withLock { $0.writes += 1 }
    return value
  }

  private func hold() -> HeldChange? {
    state.withLock { state in
      guard state.isPaused else { return nil }
      state.held.append(HeldChange())
      return state.held.last
    }
  }
}

/// A change of a paused store. The test says when it begins, and when the caller learns that it is done.
final class HeldChange: Sendable {
  private let mayBegin = DispatchSemaphore(value: 0)
  private let mayEnd = DispatchSemaphore(value: 0)
  private let done = AsyncStream.makeStream(of: Never.self)

  func begin() { mayBegin.signal() }
  func end() { mayEnd.signal() }

  /// Lets the change be made, and waits until it is.
  func make() async {
    begin()
    for await _ in done.stream {}
  }

  fileprivate func waitToBegin() { mayBegin.wait() }

  fileprivate func waitToEnd() {
    done.continuation.finish()
    mayEnd.wait()
  }
}
