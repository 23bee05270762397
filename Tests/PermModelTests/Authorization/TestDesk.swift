import Machine
import Operations

@testable import PermModel

/// A machine with pictures, a calendar and GeoClue, an empty store, and a presenter that the test answers.
final class TestDesk: Sendable {
  let machine: TestMachine
  let world = TestWorld()
  let store: MemoryStore
  let presenter = TestPresenter()
  let slot: ModalSlot
  let desk: LocalDesk
  let clock = TestClock()
  let queue = OperationQueue(name: "test", exclusion: ExclusionScheduler())

  init() throws {
    machine = try TestMachine()
    store = MemoryStore(environment: world.environment)
    slot = ModalSlot(presenter: presenter, exclusion: queue.exclusion)
    desk = LocalDesk(
      store: store, slot: slot, environment: machine.environment, origin: .dashboard(id: "test"), clock: clock
    )
    let environment = machine.environment
    machine.makeFolder(environment.pictures)
    machine.write("BEGIN:VCALENDAR", to: "\(environment.calendarFolders[0])/home/1.ics")
    machine.write(
      "[D-BUS Service]\nName=org.freedesktop.GeoClue2\n",
      to: "\(environment.systemServices[0])/org.freedesktop.GeoClue2.service")
  }

  func authorizer(_ label: String = "backup", policy: MachinePolicy = .none) -> Authorizer {
    Authorizer(
      subject: Subject(label: label), desk: desk, environment: machine.environment, policy: policy)
  }

  func decide(_ verdict: Verdict, _ atoms: Set<Atom>, for label: String = "backup") throws {
    let ruling = Ruling(verdict, subject: Subject(label: label), atoms: atoms)
    try store.decide(ruling, by: .commandLine)
  }

  func standing(_ capability: String, for label: String = "backup") throws -> Standing {
    try store.standing(of: Subject(label: label), capability: capability)
  }

  func journal() throws -> [JournalEntry.Kind] {
    try store.journal(.all, .newest(100)).reversed().map(\.kind)
  }

  /// Waits until this many requests wait for prompts.
  func waitForWaiters(_ count: Int) async {
    for _ in 0..<100_000 where desk.book.withLock({ $0.all.map(\.waiters.count).reduce(0, +) }) != count {
      await Task.yield()
    }
  }

  /// Waits until the slot's snapshot satisfies `isWanted`.
  func waitForSlot(_ isWanted: (ModalSnapshot) -> Bool) async -> ModalSnapshot {
    for await snapshot in slot.snapshots where isWanted(snapshot) { return snapshot }
    return slot.snapshot
  }
}

/// A clock that stands still until a test moves it.
final class TestClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct State {
    var now = Instant(offset: .zero)
    var next = 0
    var sleepers: [Int: (until: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
  }

  private let state = Lock(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .nanoseconds(1) }
  var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          if deadline <= state.now { return true }
          state.sleepers[id] = (deadline, continuation)
          return false
        }
        if isOver { continuation.resume() }
        if Task.isCancelled { wake(id)?.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      wake(id)?.resume(throwing: CancellationError())
    }
  }

  private func wake(_ id: Int) -> CheckedContinuation<Void, any Error>? {
    state.withLock { $0.sleepers.removeValue(forKey: id)?.continuation }
  }

  /// Advances the clock, and wakes the sleepers whose time has come.
  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.until <= state.now }
      due.keys.forEach { state.sleepers[$0] = nil }
      return due.values.map(\.continuation)
    }
    due.forEach { $0.resume() }
  }

  func waitForSleeper() async {
    for _ in 0..<100_000 where sleeperCount == 0 { await Task.yield() }
  }
}
