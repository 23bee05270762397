import Machine
import Operations
import PermModelTesting

@testable import PermModel

/// A machine with pictures, a calendar and GeoClue, an empty store, and a presenter that the test answers.
final class TestAnswerer: Sendable {
  let machine: TestMachine
  let world = FixedEnvironment()
  let store: MemoryStore
  let presenter = ScriptedPresenter()
  let slot: ModalSlot
  let answerer: LocalAnswerer
  let clock = ManualClock()
  let queue = OperationQueue(name: "test", exclusion: ExclusionScheduler())

  init() throws {
    machine = try TestMachine()
    store = MemoryStore(environment: world.environment)
    slot = ModalSlot(presenter: presenter, exclusion: queue.exclusion)
    answerer = LocalAnswerer(
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
      subject: Subject(label: label), answerer: answerer, environment: machine.environment, policy: policy)
  }

  func decide(_ verdict: Verdict, _ atoms: Set<Atom>, for label: String = "backup") throws {
    let ruling = Ruling(verdict, subject: Subject(label: label), atoms: atoms)
    try store.decide(ruling, by: .commandLine)
  }

  func standing(_ capability: String, for label: String = "backup") throws -> DecisionsInForce {
    answerer.answers.write()
    return try store.standing(of: Subject(label: label), capability: capability)
  }

  func journal() throws -> [JournalEntry.Kind] { try journal(.all).reversed().map(\.kind) }

  /// Returns the newest entries that match a filter, newest first.
  func journal(_ filter: JournalFilter) throws -> [JournalEntry] {
    answerer.answers.write()
    return try store.journal(filter, .newest(100))
  }

  /// Waits until this many requests wait for prompts.
  func waitForWaiters(_ count: Int) async {
    for _ in 0..<100_000 where slot.keeper.board.homes.count != count {
      await Task.yield()
    }
  }

  /// Waits until the slot's picture satisfies `isWanted`.
  func waitForSlot(_ isWanted: (BoardPicture) -> Bool) async -> BoardPicture {
    for await picture in slot.pictures where isWanted(picture) { return picture }
    return slot.picture
  }
}

private let defaultUsers = OperationQueue(
  name: "users of the default authorizer", exclusion: ExclusionScheduler())

/// Runs code while no other test uses the default authorizer.
///
/// - Parameter authorizer: The default while the code runs; `nil` to leave it as it is without any test.
func withDefaultAuthorizer<Result: Sendable>(
  _ authorizer: Authorizer?, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  let handle = defaultUsers.add("test", conditions: [MutuallyExclusive("default authorizer")]) { _ in
    let before = Authorizer.default
    defer { Authorizer.default = before }
    if let authorizer { Authorizer.default = authorizer }
    return try await body()
  }
  return try await withTaskCancellationHandler {
    try await handle.value
  } onCancel: {
    handle.cancel()
  }
}
