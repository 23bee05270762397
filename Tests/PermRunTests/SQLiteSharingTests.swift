import Foundation
import TerminalTesting
import Testing

@Suite("SQLite inside and outside at once", .needsWalls, .repeated, .timeLimitOfEachRound(minutes: 3))
struct SQLiteSharingTests {
  private let rows = 60

  /// The rows of a database, once SQLite has found it whole.
  private func rows(_ ground: Ground) async throws -> Set<String> {
    let run = try await ground.outside("python3", ground.user.program("database.py"), "rows", "data.db")
    var lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.isEmpty == false && lines.removeFirst() == "ok", "\(run.messages)")
    return Set(lines)
  }

  private func writer(_ ground: Ground, _ name: String) -> String {
    "python3 \(ground.user.program("writer.py")) data.db \(name) \(rows)"
  }

  private func lines(_ text: String) -> Set<String> { Set(text.split(separator: "\n").map(String.init)) }

  @Test(
    "No row is lost without a write-ahead log", arguments: ["delete", "truncate", "persist", "memory", "off"])
  func journal(mode: String) async throws {
    let ground = try await Ground()
    _ = try await ground.outside("python3", ground.user.program("database.py"), "make", "data.db", mode)
    let inside = try ground.startInside(shell: "\(writer(ground, "one")) & \(writer(ground, "two")) & wait")
    let outside = try ground.startOutside("sh", "-c", writer(ground, "three"))
    #expect(try await inside.end() == 0)
    #expect(try await outside.end() == 0)
    let told = lines(inside.output).union(lines(outside.output))
    #expect(told.count == 3 * rows, "\(inside.messages) \(outside.messages)")
    #expect(try await rows(ground) == told)
  }

  @Test("A write-ahead log is used by two programs inside")
  func writeAheadLogInside() async throws {
    let ground = try await Ground()
    _ = try await ground.outside("python3", ground.user.program("database.py"), "make", "data.db", "wal")
    let inside = try await ground.inside(shell: "\(writer(ground, "one")) & \(writer(ground, "two")) & wait")
    #expect(lines(inside.output).count == 2 * rows, "\(inside.messages)")
    #expect(try await rows(ground) == lines(inside.output))
  }

  @Test("A write-ahead log goes to a program outside, and no row that was acknowledged is lost")
  func writeAheadLogIsGivenAway() async throws {
    let ground = try await Ground()
    _ = try await ground.outside("python3", ground.user.program("database.py"), "make", "data.db", "wal")
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

  @Test("A write-ahead log that is used outside is refused inside with a sentence")
  func writeAheadLogIsRefused() async throws {
    let ground = try await Ground()
    _ = try await ground.outside("python3", ground.user.program("database.py"), "make", "data.db", "wal")
    let code = """
      import sqlite3, sys
      connection = sqlite3.connect("data.db", isolation_level=None)
      connection.execute("insert into rows values ('three', 0)")
      print("open", flush=True)
      sys.stdin.readline()
      """
    let line = "mkfifo go; exec python3 -c \"$1\" < go"
    let outside = try ground.startOutside("sh", "-c", line, "sh", code)
    let opener = try ground.startOutside(
      "sh", "-c", "until [ -p go ]; do sleep 0.005; done; exec sleep 600 > go")
    try await outside.printed("open")
    let inside = try await ground.inside(shell: writer(ground, "one"))
    #expect(inside.output == "")
    #expect(inside.messages.contains("data.db-shm is in use outside"))
    opener.send(SIGKILL)
    _ = try await outside.end()
    #expect(try await rows(ground) == ["three 0"])
  }
}
