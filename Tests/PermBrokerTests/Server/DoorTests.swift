import PermModel
import Testing

@testable import PermBroker

@Suite("Admission through a door")
final class DoorTests {
  private var door = Door(limit: 20, mostOfOneProgram: 8)
  private static let terminal = ProcessFamily.terminal("pts/1", leader: 7)

  // The testing macros copy the value that a method is called on, so changes are made by methods of the suite.
  private func enter(_ program: Int32, in family: ProcessFamily = .unknown) -> Door.Entry? {
    door.enter(CostAccount(.process(program), in: family))
  }

  private func identify(_ ticket: Door.Ticket, as program: Int32) -> Bool {
    door.identify(ticket, as: .process(program))
  }

  @Test("A program gets its share and no more")
  func share() {
    #expect((0..<10).compactMap { _ in enter(1) }.count == 8)
    #expect(enter(2) != nil)
  }

  @Test("Processes of one program have one share")
  func forks() throws {
    let tickets = try (100..<112).map { try #require(enter($0)?.ticket) }
    let kept = tickets.filter { identify($0, as: 1) }
    #expect(kept.count == 8)
    #expect(door.count == 8)
  }

  @Test("Only when more connections are open than one program may have, one could have too many")
  func crowded() {
    for program in Int32(1)...8 { _ = enter(program) }
    #expect(!door.isCrowded)
    _ = enter(9)
    #expect(door.isCrowded)
    #expect(!Door(limit: 0).isCrowded, "no program has a share")
  }

  @Test("At a full door the program with the most loses its oldest idle connection")
  func full() throws {
    let greedy = try (0..<8).map { _ in try #require(enter(1)?.ticket) }
    for program in Int32(2)..<8 { for _ in 0..<2 { #expect(enter(program) != nil) } }
    #expect(door.count == 20)
    door.setIdle(false, greedy[0])
    #expect(enter(9)?.leaving == greedy[1])
    #expect(door.count == 20)
    for ticket in greedy { door.setIdle(false, ticket) }
    #expect(enter(10)?.leaving == greedy[0])
  }

  @Test("The program with the most is refused itself")
  func greedy() {
    for _ in 0..<7 { _ = enter(1) }
    for program in Int32(2)..<15 { _ = enter(program) }
    #expect(door.count == 20)
    #expect(enter(1) == nil)
  }

  @Test("A family of many small programs makes room for another family")
  func family() throws {
    let first = try #require(enter(100, in: Self.terminal)?.ticket)
    for program in Int32(101)..<120 { #expect(enter(program, in: Self.terminal) != nil) }
    #expect(enter(200, in: Self.terminal) == nil)
    #expect(enter(1, in: .unknown)?.leaving == first)
  }

  @Test("Equals keep their places")
  func equals() {
    for program in Int32(0)..<20 { _ = enter(program) }
    #expect(enter(50) == nil)
    #expect(door.count == 20)
  }
}
