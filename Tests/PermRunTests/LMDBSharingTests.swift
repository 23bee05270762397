import Foundation
import TerminalTesting
import Testing

@Suite(
  "LMDB inside or outside", .needsWalls, .needs(file: "/usr/lib/python3/dist-packages/lmdb"), .repeated,
  .timeLimitOfEachRound(minutes: 3))
struct LMDBSharingTests {
  private let rows = 60

  private func writer(_ ground: Ground, _ name: String) -> String {
    "python3 \(ground.user.program("pages.py")) write data \(name) \(rows)"
  }

  private func lines(_ text: String) -> Set<String> { Set(text.split(separator: "\n").map(String.init)) }

  /// Makes a ground with a database that holds one row.
  private func database() async throws -> Ground {
    let ground = try await Ground()
    let program = ground.user.program("pages.py")
    let made = try await ground.outside("python3", program, "write", "data", "made", "1")
    #expect(made.output == "made 0\n", "\(made.messages)")
    return ground
  }

  /// The rows of the database, of which each is whole.
  private func rows(_ ground: Ground) async throws -> Set<String> {
    let run = try await ground.outside("python3", ground.user.program("pages.py"), "rows", "data")
    #expect(run.ending == .exited(0), "\(run.messages)")
    return lines(run.output)
  }

  @Test("Two programs inside use one database")
  func inside() async throws {
    let ground = try await database()
    let run = try await ground.inside(shell: "\(writer(ground, "one")) & \(writer(ground, "two")) & wait")
    #expect(lines(run.output).count == 2 * rows, "\(run.messages)")
    #expect(try await rows(ground) == lines(run.output).union(["made 0"]))
  }

  @Test("A database goes to a program outside, and no row that was acknowledged is lost")
  func givenAway() async throws {
    let ground = try await database()
    let inside = try ground.startInside(
      shell: "\(writer(ground, "one")) & \(writer(ground, "two")) & wait; true")
    try await inside.printed("\n")
    let outside = try ground.startOutside("sh", "-c", writer(ground, "three"))
    #expect(try await outside.end() == 0)
    _ = try await inside.end()
    #expect(lines(outside.output).count == rows, "\(outside.messages)")
    let told = lines(inside.output).union(lines(outside.output))
    #expect(told.subtracting(try await rows(ground)) == [])
  }

  @Test("A database that is used outside is refused inside with a sentence")
  func refused() async throws {
    let ground = try await database()
    let program = ground.user.program("pages.py")
    let outside = try ground.startOutside("python3", program, "hold", "data", "go")
    try await outside.printed("open")
    let inside = try await ground.inside(shell: writer(ground, "one"))
    #expect(inside.output == "")
    #expect(inside.messages.contains("is in use outside"))
    _ = try await ground.outside("touch", "go")
    #expect(try await outside.end() == 0)
    #expect(try await rows(ground) == ["made 0", "held 0"])
  }
}
