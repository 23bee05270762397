import Foundation
import TerminalTesting
import Testing
import Waiting

@Suite("Questions of runs at a broker", .needsWalls, .timeLimit(.minutes(5)))
struct BrokerQuestionTests {
  private func ground() async throws -> Ground {
    let ground = try await Ground(isAllowed: false)
    try ground.write("contents", to: "file")
    return ground
  }

  private func read(_ ground: Ground) -> String { "files:read@\(ground.file("file"))" }
  private func write(_ ground: Ground) -> String { "files:write@\(ground.file("file"))" }

  @Test("A broker is started if none runs, and an answer for this request lets the program go on")
  func allowed() async throws {
    let ground = try await ground()
    let running = try ground.startRun([], "cat", "file")
    let pending = try await ground.untilPending(read(ground))
    #expect(pending.program.label == "cat")
    #expect(running.output == "")
    try await running.said("cat asks \(read(ground)) and waits; to answer, run permtui in another terminal")
    try await ground.answer(pending, "allow")
    #expect(try await running.end() == 0)
    #expect(running.output == "contents")
    #expect(try await !ground.programs().contains("\"cat\""))
    // It goes on for the next run, in a session of its own.
    let brokers = ground.brokers
    #expect(brokers.count == 1)
    #expect(brokers.allSatisfy { getsid($0) == $0 })
  }

  @Test("The program that an interpreter runs is the one that asks")
  func script() async throws {
    let ground = try await ground()
    try ground.write("print(open('file').read())", to: "report.py")
    let running = try ground.startRun([], "python3", "-I", "report.py")
    let script = try await ground.untilPending("files:read@\(ground.file("report.py"))")
    #expect(script.program.label == "report.py")
    try await ground.answer(script, "allow")
    try await ground.answer(try await ground.untilPending(read(ground)), "allow")
    #expect(try await running.end() == 0)
    #expect(running.output == "contents\n")
  }

  @Test("A no is an error of the file, and the same use is not asked about again in this run")
  func denied() async throws {
    let ground = try await ground()
    let running = try ground.startRun([], "sh", "-c", "cat file; cat file; echo end")
    try await ground.answer(try await ground.untilPending(read(ground)), "deny")
    #expect(try await running.end() == 0)
    #expect(running.output == "end\n")
    #expect(running.messages.components(separatedBy: "Permission denied").count == 3)
  }

  @Test("A dismissed question is denied this time only")
  func dismissed() async throws {
    let ground = try await ground()
    let running = try ground.startRun([], "sh", "-c", "cat file; cat file")
    let first = try await ground.untilPending(read(ground))
    _ = try await ground.permtui("answer", first.id, "dismiss")
    var second = first
    try await until {
      second = try await ground.untilPending(read(ground))
      return second.id != first.id
    }
    try await ground.answer(second, "allow")
    #expect(try await running.end() == 0)
    #expect(running.output == "contents")
  }

  @Test("A kept answer holds for the next run of the program, which asks nobody")
  func kept() async throws {
    let ground = try await ground()
    let running = try ground.startRun([], "cat", "file")
    try await ground.answer(try await ground.untilPending(read(ground)), "allow", "--for", "8h")
    #expect(try await running.end() == 0)
    let again = try await ground.endedRun([], "cat", "file")
    #expect(again.output == "contents")
    #expect(again.messages == "")
  }

  @Test("A program that saves a file several times is asked about once, and later again")
  func onceForASave() async throws {
    let ground = try await ground()
    let running = try ground.startRun(
      [], "sh", "-c", "echo a > file; echo b >> file; chmod 600 file; cat file")
    try await ground.answer(try await ground.untilPending(write(ground)), "allow")
    #expect(try await running.end() == 0)
    #expect(running.output == "a\nb\n")
  }

  @Test("A file that was opened with a yes for this request is taken back by a later no")
  func takenBack() async throws {
    let ground = try await ground()
    let code = """
      import time
      file = open("file")
      print("open", flush=True)
      while True:
          file.seek(0); file.read(); time.sleep(0.005)
      """
    try ground.write(code, to: "reader.py")
    let running = try ground.startRun(["--as", "reader"], "python3", "-I", "reader.py")
    try await ground.answer(try await ground.untilPending("files:read@\(ground.file("reader.py"))"), "allow")
    try await ground.answer(try await ground.untilPending(read(ground)), "allow")
    try await running.printed("open")
    _ = try await ground.permtui("deny", "everyone", read(ground))
    #expect(try await running.end() == 1)
    #expect(running.messages.contains("Permission denied"))
  }

  @Test("When the program is killed, or only the thread that asked, its question is withdrawn")
  func withdrawn() async throws {
    let ground = try await ground()
    let running = try ground.startRun(
      [], "sh", "-c", "cat file & until [ -e go ]; do sleep 0.01; done; kill -9 $!; wait; echo next; cat file"
    )
    let first = try await ground.untilPending(read(ground))
    try ground.write("", to: "go")
    try await running.printed("next")
    var second = first
    try await until {
      second = try await ground.untilPending(read(ground))
      return second.id != first.id
    }
    running.send(SIGTERM)
    _ = try await running.end()
    try await ground.untilNothingWaits()
  }

  @Test("When the warden is killed, all of its questions are withdrawn")
  func wardenKilled() async throws {
    let ground = try await ground()
    let running = try ground.startRun([], "cat", "file")
    _ = try await ground.untilPending(read(ground))
    running.send(SIGKILL)
    _ = try await running.end()
    try await ground.untilNothingWaits()
  }

  @Test("If the broker dies, the question is at the next one under the same id")
  func nextBroker() async throws {
    let ground = try await ground()
    let running = try ground.startRun([], "cat", "file")
    let first = try await ground.untilPending(read(ground))
    try await ground.endBrokers()
    let next = try ground.start([ground.user.program("permtui"), "--store", ground.store, "serve"])
    try await next.said("Listening")
    var again = first
    try await until {
      // Before the warden asks again, the question is only in the store.
      again = try await ground.untilPending(read(ground))
      let answer = try await ground.permtui("answer", again.id, "allow", "--digest", again.digest)
      return answer.ending == .exited(0)
    }
    #expect(again.id == first.id)
    #expect(try await running.end() == 0)
    #expect(running.output == "contents")
    next.send(SIGTERM)
    _ = try await next.end()
  }

  @Test("If the broker dies, the next one knows a run that asks nothing, so that a panic can end it")
  func nextBrokerOfSilentRun() async throws {
    let ground = try await ground()
    let running = try ground.startRun([], "sh", "-c", "trap '' TERM; echo started; sleep 4717.25")
    try await running.printed("started")
    try await ground.endBrokers()
    let next = try ground.start([ground.user.program("permtui"), "--store", ground.store, "serve"])
    try await next.said("Listening")
    try await until {
      try await ground.permtui("panic", "--end").output == "panic: 1 program behind walls ended\n"
    }
    #expect(try await running.end() == 137)
    next.send(SIGTERM)
    _ = try await next.end()
  }

  @Test("If the broker dies and no other comes, what is known stays known, and what is open is denied")
  func noBroker() async throws {
    let ground = try await ground()
    try ground.write("known", to: "other")
    _ = try await ground.permtui("allow", "cat", "files:read@\(ground.file("other"))")
    let running = try ground.startRun([], "cat", "file", "other")
    _ = try await ground.untilPending(read(ground))
    try await ground.endBrokers()
    try await running.said("PermTUI has ended, so this is denied: \(read(ground))")
    #expect(try await running.end() == 1)
    #expect(running.messages.contains("Permission denied"))
    #expect(running.output == "known")
  }

  @Test("A panic suspends, and its end gives back; the question that it ended is asked again")
  func panic() async throws {
    let ground = try await ground()
    let running = try ground.startRun(
      [], "sh", "-c", "cat file || echo suspended; until cat file 2>&-; do sleep 0.01; done")
    _ = try await ground.untilPending(read(ground))
    try await ground.panic()
    try await running.printed("suspended")
    try await ground.panic("--lift")
    try await ground.answer(try await ground.untilPending(read(ground)), "allow")
    #expect(try await running.end() == 0)
    #expect(running.output == "suspended\ncontents")
  }

  @Test("A panic can end all programs behind walls, also those that wait")
  func endRuns() async throws {
    let ground = try await ground()
    let running = try ground.startRun([], "sh", "-c", "trap '' TERM INT HUP; cat file & wait; sleep 60")
    _ = try await ground.untilPending(read(ground))
    let panic = try await ground.permtui("panic", "--end")
    #expect(panic.output == "panic: 1 program behind walls ended\n")
    #expect(try await running.end() == 137)
    try await running.said("ended by a panic")
    try await ground.untilNothingWaits()
  }

  @Test("More questions than the broker takes wait at the warden, and come up one after the other")
  func many() async throws {
    let ground = try await ground()
    for number in 0..<80 { try ground.write("x", to: "f\(number)") }
    let running = try ground.startRun(
      [], "sh", "-c", "n=0; while [ $n -lt 80 ]; do cat f$n & n=$((n+1)); done; wait; echo end")
    try await until { try await ground.pending().count == 64 }
    for pending in try await ground.pending().prefix(8) { try await ground.answer(pending, "allow") }
    // Those that waited at the warden take the places of those that were answered.
    try await until { try await ground.pending().count == 64 }
    _ = try await ground.permtui("deny", "everyone", "files:read@\(ground.work)/")
    #expect(try await running.end() == 0)
    #expect(running.output.filter { $0 == "x" }.count == 8)
  }

  @Test("Exit statuses are the program's own, or those of env")
  func statuses() async throws {
    let ground = try await ground()
    #expect(try await ground.endedRun([], "sh", "-c", "exit 7").ending == .exited(7))
    #expect(try await ground.endedRun([], "/nonexistent/program").ending == .exited(127))
    #expect(try await ground.endedRun([], "nonexistent-program").ending == .exited(127))
    #expect(try await ground.endedRun([], "/etc/passwd").ending == .exited(126))
    #expect(try await ground.endedRun(["--fuse", "/nonexistent"], "true").ending == .exited(125))
  }

  @Test("A store that only an older or a damaged file stands for starts nothing")
  func badStore() async throws {
    let ground = try await ground()
    _ = try await ground.outside("sh", "-c", "mkdir -p $(dirname '\(ground.store)')")
    _ = try await ground.outside("sh", "-c", "echo damaged > '\(ground.store)'")
    let run = try await ground.endedRun([], "touch", "/tmp/x")
    #expect(run.ending == .exited(125))
  }
}
