import Machine

@testable import OperationsExtras

/// A network that a test controls.
final class FakeNetwork: NetworkMonitor {
  private struct State {
    var network = NetworkState()
    var refusal: ReachabilityError?
    var flaw: ReachabilityError?
    var watchers: [AsyncStream<Void>.Continuation] = []
  }

  private let cell = Lock(State())
  private let isWatched = Gate()

  var watchers: Int { cell.withLock { $0.watchers.count } }

  func state() throws(ReachabilityError) -> NetworkState {
    let (network, flaw) = cell.withLock { ($0.network, $0.flaw) }
    if let flaw { throw flaw }
    return network
  }

  func changes() throws(ReachabilityError) -> AsyncStream<Void> {
    let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    cell.withLock { $0.watchers.append(continuation) }
    isWatched.open()
    return changes
  }

  func check(_ host: NetworkHost) async throws(ReachabilityError) {
    if let refusal = cell.withLock({ $0.refusal }) { throw refusal }
  }

  func set(_ network: NetworkState) {
    let watchers = cell.withLock { state in
      state.network = network
      return state.watchers
    }
    for watcher in watchers { watcher.yield() }
  }

  func refuse(_ error: ReachabilityError) { cell.withLock { $0.refusal = error } }

  /// Makes hosts answer again, without any notification.
  func answer() { cell.withLock { $0.refusal = nil } }

  /// Makes the state unreadable from now on.
  func spoil(_ error: ReachabilityError) { cell.withLock { $0.flaw = error } }

  /// Waits until a task watches for changes.
  func watched() async { await isWatched.wait() }
}
