import Foundation
import TerminalTesting
import Testing
import Waiting

@Suite("The walls around a program", .needsWalls, .timeLimit(.minutes(5)))
struct WallsTests {
  @Test("A program ends with its own exit status")
  func status() async throws {
    let ground = try await Ground()
    #expect(try await ground.inside(shell: "exit 7").ending == .exited(7))
    #expect(try await ground.inside("true").ending == .exited(0))
  }

  @Test("A signal that ends the program is told as 128 and its number")
  func signalStatus() async throws {
    #expect(try await Ground().inside(shell: "kill -9 $$").ending == .exited(137))
  }

  @Test("A program that is not there ends with 127, and a file that is no program with 126")
  func missingPrograms() async throws {
    let ground = try await Ground()
    #expect(try await ground.insideItself([], "no-such-program").ending == .exited(127))
    #expect(try await ground.insideItself([], "/etc/passwd").ending == .exited(126))
  }

  @Test("Without the FUSE device, nothing runs, and the message says what helps")
  func noDevice() async throws {
    let ground = try await Ground()
    let run = try await ground.outside(
      ground.user.program("permtui-run"), "--alone", "--fuse", "/nonexistent", "--", "touch",
      ground.file("ran"))
    #expect(run.ending == .exited(125))
    #expect(run.messages.contains("modprobe fuse"))
    #expect(!FileManager.default.fileExists(atPath: ground.file("ran")))
  }

  @Test("Without user namespaces, nothing runs, and the message says what helps")
  func noNamespaces() async throws {
    let ground = try await Ground()
    // In a namespace in which no more of them may be made.
    let line =
      "echo 0 > /proc/sys/user/max_user_namespaces; exec \(ground.user.program("permtui-run")) --alone -- touch ran"
    let run = try await ground.outside("unshare", "--map-root-user", "sh", "-c", line)
    #expect(run.ending == .exited(125))
    #expect(run.messages.contains("make sandboxes"))
    #expect(!FileManager.default.fileExists(atPath: ground.file("ran")))
  }

  @Test("The program has no capabilities, no way to new rights, and a filter")
  func noRights() async throws {
    let run = try await Ground().inside("cat", "/proc/self/status")
    for line in ["CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"] {
      #expect(run.output.contains(line))
    }
  }

  @Test("The first process inside is closed to the program")
  func firstProcessIsClosed() async throws {
    let run = try await Ground().inside(
      shell: "cat /proc/1/environ; ls /proc/1/fd /proc/1/root; head -c1 /proc/1/mem; true")
    #expect(run.output == "")
  }

  @Test("The program gets no descriptors but its streams")
  func descriptors() async throws {
    let run = try await Ground().inside(
      shell: "for n in 3 4 5 6 7 8 9; do [ -e /proc/self/fd/$n ] && echo $n; done; true")
    #expect(run.output == "")
  }

  @Test("When the warden is killed, everything inside ends")
  func wardenDies() async throws {
    let ground = try await Ground()
    let running = try ground.startInside(shell: "sleep 4711.25 & echo started; sleep 4711.25")
    try await running.printed("started")
    running.send(SIGKILL)
    _ = try await running.end()
    try await until { processes(with: "4711.25").isEmpty }
  }

  @Test("When the warden is killed while a program waits for an answer, the program ends")
  func wardenDiesDuringQuestion() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("x", to: "4713.25")
    let running = try ground.startInside(shell: "cat 4713.25")
    try await running.asked("files:read@\(ground.file("4713.25"))")
    running.send(SIGKILL)
    _ = try await running.end()
    try await until { processes(with: "4713.25").isEmpty }
  }

  @Test(
    "When the warden is killed, the locks of programs inside are free outside, and what was written is there")
  func wardenDiesWithLock() async throws {
    let ground = try await Ground()
    let running = try ground.startInside(
      shell: "exec 9>> log; flock 9; echo line >&9; echo locked; sleep 4714.25")
    try await running.printed("locked")
    running.send(SIGKILL)
    _ = try await running.end()
    #expect(try await ground.outside("flock", "--timeout", "30", "log", "cat", "log").output == "line\n")
    try await until { processes(with: "4714.25").isEmpty }
  }

  @Test("When the builder or the first process inside is killed, everything inside ends", arguments: [1, 2])
  func processesDie(depth: Int) async throws {
    let ground = try await Ground()
    let running = try ground.startInside(shell: "sleep 4715.25 & echo started; sleep 4715.25")
    try await running.printed("started")
    var process = running.process
    for _ in 0..<depth {
      let children = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
      process = try #require(children.split(separator: " ").last.flatMap { pid_t($0) })
    }
    kill(process, SIGKILL)
    #expect(try await running.end() == 137)
    try await until { processes(with: "4715.25").isEmpty }
  }

  @Test("When the program ends, what it has left behind ends, too")
  func leftovers() async throws {
    let ground = try await Ground()
    _ = try await ground.inside(shell: "setsid sleep 4712.25 >/dev/null 2>&1 & exit 0")
    try await until { processes(with: "4712.25").isEmpty }
  }

  @Test("A request to end is passed on to the program")
  func termination() async throws {
    let ground = try await Ground()
    let running = try ground.startInside(
      shell: "trap 'echo ended; exit 3' TERM; echo started; while :; do sleep 0.01; done")
    try await running.printed("started")
    running.send(SIGTERM)
    #expect(try await running.end() == 3)
    #expect(running.output.contains("ended"))
  }

  @Test("The environment is built, so a secret in a variable stays outside")
  func environment() async throws {
    let ground = try await Ground()
    let run = try await ground.outside(
      "env", "SECRET=42", "LD_PRELOAD=", ground.user.program("permtui-run"), "--alone", "--fuse",
      ground.user.fuse, "--",
      "env")
    #expect(run.output.contains("PATH="))
    #expect(!run.output.contains("SECRET") && !run.output.contains("LD_PRELOAD"))
  }

  @Test("A variable that the person names is passed on; one that is not set is a mistake")
  func namedVariable() async throws {
    let ground = try await Ground()
    let walls = [ground.user.program("permtui-run"), "--alone", "--fuse", ground.user.fuse, "--env", "TOKEN"]
    let run = try await ground.run(["env", "TOKEN=42", "OTHER=43"] + walls + ["--", "env"])
    #expect(run.output.contains("TOKEN=42\n") && !run.output.contains("OTHER"))
    let unset = try await ground.run(walls + ["--", "env"])
    #expect(unset.ending == .exited(64))
    #expect(unset.messages.contains("The variable TOKEN is not set."))
  }

  @Test("A folder that is a standard stream is no way out")
  func folderAsStream() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("secret", to: "file")
    let line =
      "exec \(ground.user.program("permtui-run")) --alone --fuse \(ground.user.fuse) -- cat /proc/self/fd/0/file < ."
    let run = try await ground.outside("sh", "-c", line)
    #expect(!run.output.contains("secret"))
  }

  @Test("A file that is a standard stream cannot be opened again with other rights")
  func fileAsStream() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("before", to: "file")
    let warden = "\(ground.user.program("permtui-run")) --alone --fuse \(ground.user.fuse)"
    let run = try await ground.outside(
      "sh", "-c", "exec \(warden) -- sh -c 'cat; echo after > /proc/self/fd/0' < file")
    #expect(run.output.contains("before"))
    #expect(try ground.text("file") == "before")
  }

  @Test("A program's output to a file arrives in whole")
  func outputToFile() async throws {
    let run = try await Ground().inside("seq", "200000")
    #expect(run.output.utf8.count == 1_288_895)
  }
}
