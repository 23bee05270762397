import Testing

@testable import PermModel

@Suite("The line of those who wait for their program's turn", .timeLimit(.minutes(1)))
struct TurnLineTests {
  private let line = TurnLine()
  private let program = Asker.label("flood")
  private let first = Alert.ID("1")
  private let second = Alert.ID("2")

  @Test("A turn that comes before anybody waits for it is not lost")
  func calledEarly() async throws {
    #expect(line.begin(first, of: program))
    #expect(!line.begin(second, of: program))
    line.end(first, of: program)
    try await line.waitForTurn(second, of: program)
    line.end(second, of: program)
    #expect(line.begin(first, of: program))
  }

  @Test("Who leaves before its turn lets the line go on without it")
  func leaving() async throws {
    #expect(line.begin(first, of: program))
    #expect(!line.begin(second, of: program))
    let waiting = Task { [line, program, second] in try await line.waitForTurn(second, of: program) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    line.end(first, of: program)
    #expect(line.begin(second, of: program))
  }
}
