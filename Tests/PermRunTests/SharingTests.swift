import Foundation
import TerminalTesting
import Testing

@Suite("Files that are used inside and outside at once", .needsWalls, .timeLimit(.minutes(10)))
struct SharingTests {
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

  @Test("No row is lost with a rollback journal", arguments: ["delete", "truncate", "persist"])
  func rollbackJournal(mode: String) async throws {
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

  @Test("No line of an appended log is lost or broken")
  func appending() async throws {
    let ground = try await Ground()
    let program = ground.user.program("appender.py")
    let inside = try ground.startInside(
      shell: "python3 \(program) log one 1500 & python3 \(program) log two 1500 & wait")
    let outside = try ground.startOutside("python3", program, "log", "three", "1500")
    #expect(try await inside.end() == 0)
    #expect(try await outside.end() == 0)
    let lines = try ground.text("log").split(separator: "\n")
    #expect(lines.count == 4500)
    #expect(lines.allSatisfy { $0.hasSuffix(".") && $0.split(separator: " ").count == 3 })
    #expect(Set(lines.map { $0.split(separator: " ").prefix(2).joined() }).count == 4500)
  }

  @Test("Locks inside and outside exclude each other", arguments: ["flock", "posix", "ofd"])
  func locks(kind: String) async throws {
    let ground = try await Ground()
    try ground.write("0                   ", to: "number")
    let program = ground.user.program("counter.py")
    let inside = try ground.startInside(
      shell: "python3 \(program) number \(kind) 150 & python3 \(program) number \(kind) 150 & wait")
    let outside = try ground.startOutside("python3", program, "number", kind, "150")
    #expect(try await inside.end() == 0, "\(inside.messages)")
    #expect(try await outside.end() == 0, "\(outside.messages)")
    #expect(try ground.text("number").trimmingCharacters(in: .whitespaces) == "450")
  }

  @Test("A lock of a file survives that the same file is opened for writing")
  func lockAndWrite() async throws {
    let ground = try await Ground()
    try ground.write("", to: "log")
    let running = try ground.startInside(
      shell: "exec 9<log; flock 9; echo line >> log; echo locked; read x < /dev/null; sleep 600")
    try await running.printed("locked")
    #expect(try await ground.outside("flock", "--nonblock", "log", "true").ending == .exited(1))
    running.send(SIGKILL)
    _ = try await running.end()
    #expect(try await ground.outside("flock", "--timeout", "60", "log", "true").ending == .exited(0))
    #expect(try ground.text("log") == "line\n")
  }

  @Test("What is appended outside is not overwritten by a program inside that goes to the end")
  func endOfFile() async throws {
    let ground = try await Ground()
    try ground.write("one\n", to: "file")
    let code = """
      import os, time
      for n in range(1, 10):
          while not os.path.exists(f"go{n}"): time.sleep(0.001)
          with open("file", "r+") as file:
              file.seek(0, 2)
              file.write(f"inside {n}\\n")
      """
    let running = try ground.startInside(shell: "python3 -c '\(code)'")
    var expected = "one\n"
    let feed = try ground.startOutside(
      "sh", "-c",
      """
      for n in 1 2 3 4 5 6 7 8 9; do
        echo outside $n >> file; touch go$n
        until grep -q "inside $n" file; do sleep 0.001; done
      done
      """)
    _ = try await feed.end()
    _ = try await running.end()
    for number in 1...9 { expected += "outside \(number)\ninside \(number)\n" }
    #expect(try ground.text("file") == expected)
  }

  @Test("A file that an editor outside saves by renaming is the one that a program inside reads and writes")
  func savedByRenaming() async throws {
    let ground = try await Ground()
    try ground.write("old\n", to: "file")
    let running = try ground.startInside(
      shell: "cat file; echo ready; until [ -e go ]; do sleep 0.005; done; cat file; echo more >> file")
    try await running.printed("ready")
    _ = try await ground.outside("sh", "-c", "echo new > .file.tmp; mv .file.tmp file; touch go")
    #expect(try await running.end() == 0)
    #expect(running.output == "old\nready\nnew\n")
    #expect(try ground.text("file") == "new\nmore\n")
  }

  @Test("A file that a program inside saves by renaming arrives outside in whole")
  func savedByRenamingInside() async throws {
    let ground = try await Ground()
    try ground.write("old\n", to: "file")
    let inside = try ground.startInside(
      shell: "for n in $(seq 200); do seq 1 1000 > .tmp; mv .tmp file; done")
    let outside = try ground.startOutside(
      "sh", "-c",
      "until [ $(wc -l < file) = 1000 ]; do sleep 0.005; done; for n in $(seq 200); do wc -l < file; done | sort -u"
    )
    #expect(try await inside.end() == 0)
    #expect(try await outside.end() == 0)
    #expect(outside.output == "1000\n")
  }

  @Test("A page of a mapping does not undo what was written outside")
  func mappedPage() async throws {
    let ground = try await Ground()
    try ground.write(String(repeating: "a", count: 8192), to: "file")
    let code = """
      import mmap, os, time
      file = open("file", "r+b")
      map = mmap.mmap(file.fileno(), 8192)
      map[0:6] = b"inside"
      print("mapped", flush=True)
      while not os.path.exists("go"): time.sleep(0.005)
      try: map.flush()
      except OSError as error: print("refused", error.errno)
      """
    let running = try ground.startInside(shell: "python3 -c '\(code)'")
    try await running.printed("mapped")
    _ = try await ground.outside(
      "sh", "-c", "printf outside | dd of=file bs=1 seek=100 conv=notrunc; touch go")
    #expect(try await running.end() == 0)
    #expect(running.output.contains("refused"))
    let text = try ground.text("file")
    #expect(text.dropFirst(100).hasPrefix("outside"))
  }

  @Test("A mapping that nobody outside disturbs is written")
  func mapping() async throws {
    let ground = try await Ground()
    try ground.write(String(repeating: "a", count: 8192), to: "file")
    let code = """
      import mmap
      file = open("file", "r+b")
      map = mmap.mmap(file.fileno(), 8192)
      map[0:6] = b"inside"
      map.flush()
      map[5000:5005] = b"again"
      map.close()
      """
    #expect(try await ground.inside("python3", "-c", code).ending == .exited(0))
    let text = try ground.text("file")
    #expect(text.hasPrefix("inside") && text.dropFirst(5000).hasPrefix("again"))
  }

  @Test("Truncation inside and outside is seen on the other side")
  func truncation() async throws {
    let ground = try await Ground()
    try ground.write(String(repeating: "a", count: 100), to: "file")
    let running = try ground.startInside(
      shell: """
        exec 3< file; wc -c < file; echo ready; until [ -e go ]; do sleep 0.005; done
        wc -c < file; truncate -s 7 file; echo done
        """)
    try await running.printed("ready")
    _ = try await ground.outside("sh", "-c", "truncate -s 50 file; touch go")
    #expect(try await running.end() == 0)
    #expect(running.output == "100\nready\n50\ndone\n")
    #expect(try ground.text("file").count == 7)
  }
}
