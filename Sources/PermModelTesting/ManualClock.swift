import Machine

/// A clock that moves only when a test advances it.
public final class ManualClock: Clock, Sendable {
  public struct Instant: InstantProtocol {
    public var offset: Duration

    public init(offset: Duration) { self.offset = offset }

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper: Sendable {
    let id: Int
    let until: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State: Sendable {
    var now = Instant(offset: .zero)
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var lastID = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Lock(State())

  public init() {}

  public var now: Instant { state.withLock { $0.now } }
  public var minimumResolution: Duration { .zero }

  /// The times at which the sleeping tasks will wake, earliest first.
  public var sleeps: [Duration] { state.withLock { $0.sleepers.map(\.until.offset).sorted() } }

  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        fallAsleep(Sleeper(id: id, until: deadline, continuation: continuation))
      }
    } onCancel: {
      wake(id)
    }
  }

  private func fallAsleep(_ sleeper: Sleeper) {
    enum Fate { case cancelled, over, asleep([CheckedContinuation<Void, Never>]) }
    let fate = state.withLock { state -> Fate in
      if state.cancelled.remove(sleeper.id) != nil { return .cancelled }
      if sleeper.until <= state.now { return .over }
      state.sleepers.append(sleeper)
      let ready = state.watchers.filter { $0.count <= state.sleepers.count }.map(\.continuation)
      state.watchers.removeAll { $0.count <= state.sleepers.count }
      return .asleep(ready)
    }
    switch fate {
    case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
    case .over: sleeper.continuation.resume()
    case .asleep(let watchers): for watcher in watchers { watcher.resume() }
    }
  }

  private func wake(_ id: Int) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }

  /// Waits until at least this many tasks are sleeping on this clock.
  public func sleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.sleepers.count < count { state.watchers.append((count, continuation)) }
        return state.sleepers.count >= count
      }
      if isThere { continuation.resume() }
    }
  }

  /// Advances the clock, and wakes the tasks whose wake-up time has been reached.
  public func advance(by duration: Duration) {
    let awake = state.withLock { state in
      state.now.offset += duration
      let awake = state.sleepers.filter { $0.until <= state.now }.sorted { $0.until < $1.until }
      state.sleepers.removeAll { $0.until <= state.now }
      return awake
    }
    for sleeper in awake { sleeper.continuation.resume() }
  }
}
