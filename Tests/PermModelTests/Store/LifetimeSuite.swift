import PermModelTesting
import Testing

@testable import PermModel

@Suite("How long decisions hold")
struct LifetimeTests {
  private func allow(_ lifetime: LifetimeChoice, in box: StoreBox) throws {
    let ruling = Ruling(
      .allow, subject: backup, atoms: [photos], lifetime: lifetime, process: FixedEnvironment.process)
    try box.store.decide(ruling, by: here)
  }

  private func isAllowed(_ box: StoreBox) throws -> Bool {
    try box.store.standing(of: backup, capability: "photos").allowed.contains(photos)
  }

  @Test("A duration ends at its very moment, which the next change journals", arguments: StoreKind.allCases)
  func duration(_ kind: StoreKind) throws {
    let box = try kind.make()
    try allow(.duration(.seconds(600)), in: box)
    box.world.pass(.seconds(600) - .microseconds(1))
    #expect(try isAllowed(box))
    box.world.pass(.microseconds(1))
    #expect(try !isAllowed(box))
    let end = box.world.wall
    #expect(try box.store.journal(.all, .newest(1))[0].kind == .decided)
    #expect(try box.store.overview().capabilities.isEmpty)
    box.world.pass(.seconds(60))
    try box.store.decide(Ruling(.deny, subject: thumbs, atoms: [photos]), by: here)
    let expired = try box.store.journal(JournalFilter(kinds: [.expired]), .newest(9))
    #expect(expired.map(\.at) == [end])
    #expect(expired[0].subject == backup)
  }

  @Test("Setting the clock back extends nothing in the same boot", arguments: StoreKind.allCases)
  func clockSetBack(_ kind: StoreKind) throws {
    let box = try kind.make()
    try allow(.duration(.seconds(600)), in: box)
    box.world.change { $0.wall = $0.wall + .seconds(-86_400) }
    box.world.pass(.seconds(599))
    #expect(try isAllowed(box))
    box.world.pass(.seconds(1))
    #expect(try !isAllowed(box))
    let end = box.world.wall
    box.world.pass(.seconds(30))
    try box.store.decide(Ruling(.deny, subject: thumbs, atoms: [photos]), by: here)
    #expect(try box.store.journal(JournalFilter(kinds: [.expired]), .newest(9)).map(\.at) == [end])
  }

  @Test("After a reboot only the wall clock is left", arguments: StoreKind.allCases)
  func reboot(_ kind: StoreKind) throws {
    let box = try kind.make()
    try allow(.duration(.seconds(600)), in: box)
    box.world.change {
      $0.bootID = "boot-2"
      $0.bootTime = 900_000_000
    }
    #expect(try isAllowed(box))
    box.world.change { $0.wall = $0.wall + .seconds(600) }
    #expect(try !isAllowed(box))
  }

  @Test("A date ends when the wall clock reaches it", arguments: StoreKind.allCases)
  func date(_ kind: StoreKind) throws {
    let box = try kind.make()
    try allow(.until(box.world.wall + .seconds(86_400)), in: box)
    #expect(try isAllowed(box))
    box.world.change { $0.wall = $0.wall + .seconds(86_400) }
    #expect(try !isAllowed(box))
  }

  @Test("A session's decision ends with the session, also for a deny", arguments: StoreKind.allCases)
  func session(_ kind: StoreKind) throws {
    let box = try kind.make()
    let atom = Atom("camera")
    try allow(.session, in: box)
    try box.store.decide(
      Ruling(.deny, subject: backup, atoms: [atom], lifetime: .session), by: here)
    box.world.change { $0.bootID = "boot-2" }
    #expect(try isAllowed(box))
    box.world.change { $0.session = "session-2" }
    #expect(try !isAllowed(box))
    #expect(try box.store.standing(of: backup, capability: "camera").decisions.isEmpty)
    #expect(try box.store.decisions().isEmpty)
  }

  @Test("A process's decision ends with the process", arguments: StoreKind.allCases)
  func process(_ kind: StoreKind) throws {
    let box = try kind.make()
    try allow(.process, in: box)
    #expect(try isAllowed(box))
    box.world.change { $0.running = [] }
    #expect(try !isAllowed(box))
    try box.store.decide(Ruling(.deny, subject: thumbs, atoms: [photos]), by: here)
    #expect(try box.store.journal(JournalFilter(kinds: [.expired]), .newest(9)).count == 1)
  }
}
