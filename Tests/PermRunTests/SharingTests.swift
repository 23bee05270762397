import Foundation
import TerminalTesting
import Testing

@Suite(
  "Files that are used inside and outside at once", .needsWalls, .repeated, .timeLimitOfEachRound(minutes: 3))
struct SharingTests {
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

  @Test("A lock that is held outside for long is waited for", arguments: ["flock", "posix", "ofd"])
  func longLock(kind: String) async throws {
    let ground = try await Ground()
    try ground.write("0                   ", to: "number")
    let program = "python3 \(ground.user.program("counter.py")) number \(kind)"
    let outside = try ground.startOutside("sh", "-c", "\(program) 1 go")
    try await outside.printed("locked")
    let inside = try ground.startInside(
      shell:
        "\(program) 1 & \(program) 1 & for n in $(seq 20); do cat number > /dev/null; sleep 0.005; done; touch go; wait"
    )
    #expect(try await inside.end() == 0, "\(inside.messages)")
    #expect(try await outside.end() == 0, "\(outside.messages)")
    #expect(try ground.text("number").trimmingCharacters(in: .whitespaces) == "3")
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

  @Test("Lines appended outside are not overwritten by a program inside that goes to the end")
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

  @Test("vim inside and vim outside save one file by renaming, and no line is lost", .needs("vim"))
  func vim() async throws {
    let ground = try await Ground()
    try ground.write("", to: "file")
    func edit(_ line: String) -> String {
      "vim -u NONE -es -c 'set writebackup backupcopy=no' -c 'call append(\"$\", \"\(line)\")' -c wq file"
    }
    let running = try ground.startInside(
      shell: """
        for n in 1 2 3 4 5 6; do
          until [ -e outside$n ]; do sleep 0.005; done; \(edit("inside")); touch inside$n
        done
        """)
    let person = try ground.startOutside(
      "sh", "-c",
      """
      for n in 1 2 3 4 5 6; do
        \(edit("outside")); touch outside$n; until [ -e inside$n ]; do sleep 0.005; done
      done
      """)
    #expect(try await person.end() == 0, "\(person.messages)")
    #expect(try await running.end() == 0, "\(running.messages)")
    let turns = String(repeating: "outside\ninside\n", count: 6)
    #expect(try ground.text("file") == "\n" + turns)
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
