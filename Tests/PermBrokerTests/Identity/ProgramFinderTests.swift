import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("Which program asks, in invented family trees")
struct ProgramFinderTests {
  /// Returns tmux (50) > bash (100), and the processes that a test adds below.
  private func tree() -> FakeProcesses {
    var tree = FakeProcesses()
    tree.add(1, parent: 0, runs: "/sbin/init")
    tree.add(50, parent: 1, runs: "/usr/bin/tmux")
    tree.add(100, parent: 50, runs: "/bin/bash")
    return tree
  }

  private func program(behind pid: Int32, in tree: FakeProcesses) throws -> IdentifiedProgram {
    let finder = ProgramFinder(processes: tree)
    let seen = try #require(finder.program(behind: pid))
    // A search that stops at the program finds the same one.
    let brief = try #require(finder.program(behind: pid, withChain: false))
    #expect(brief.isSame(as: seen))
    #expect(brief.evidence.doubt == seen.evidence.doubt)
    return seen
  }

  @Test("A binary that connects by itself is the program")
  func binary() throws {
    var tree = tree()
    tree.add(200, parent: 100, runs: "/usr/bin/curl")
    let seen = try program(behind: 200, in: tree)
    #expect(seen.file?.path == "/usr/bin/curl")
    #expect(seen.evidence.chain == ["tmux", "bash", "curl"])
    #expect(seen.evidence.terminal == "pts/3")
    #expect(seen.evidence.doubt == nil)
  }

  @Test("permtui asks for the script that runs it")
  func script() throws {
    var tree = tree()
    tree.add(200, parent: 100, runs: "/bin/bash", ["/home/ana/bin/backup.sh", "-v"])
    tree.addFile("/home/ana/bin/backup.sh", at: "/home/ana/bin/backup.sh")
    tree.add(201, parent: 200, runs: "/usr/bin/permtui", ["request", "photos"])
    let seen = try program(behind: 201, in: tree)
    #expect(
      seen.file
        == SeenFile(
          path: "/home/ana/bin/backup.sh", identity: seen.file?.identity ?? .init(inode: 0, birth: 0)))
    #expect(seen.evidence.program == "/home/ana/bin/backup.sh")
    #expect(seen.evidence.interpreter == "bash")
    #expect(seen.evidence.process.pid == 200)
    #expect(seen.peer.pid == 201)
    #expect(seen.evidence.chain == ["tmux", "bash", "backup.sh"])
    #expect(seen.subject(label: nil).label == "backup.sh")
  }

  @Test(
    "A program that runs what it is given is in doubt, whichever kind it is",
    arguments: [
      "split", "ld-linux-x86-64.so.2", "ld.so", "zip", "logsave", "fakeroot", "run-parts",
      "start-stop-daemon",
      "capsh", "proot", "rlwrap", "tcsh", "lksh", "pwsh", "npx", "vim.tiny", "gawk", "find", "git", "less",
      "docker",
      "sqlite3", "gdb", "setarch", "unbuffer", "busybox", "just",
    ])
  func runners(_ name: String) throws {
    var tree = tree()
    tree.add(200, parent: 100, runs: "/usr/bin/\(name)", ["/home/ana/bin/backup"])
    tree.add(201, parent: 200, runs: "/usr/bin/permtui", ["request", "photos"])
    let seen = try program(behind: 201, in: tree)
    #expect(seen.file == nil)
    #expect(seen.evidence.doubt?.contains("runs what it is given") == true)
  }

  @Test("A program that acts for others is the program itself if it uses a key")
  func keyUser() throws {
    var tree = tree()
    tree.add(200, parent: 100, runs: "/usr/bin/git", ["push"])
    tree.add(201, parent: 200, runs: "/usr/bin/ssh", ["example.org"])
    let finder = ProgramFinder(processes: tree)
    let seen = try #require(finder.program(runBy: 201))
    #expect(seen.file?.path == "/usr/bin/ssh")
    #expect(seen.evidence.doubt == nil)
    #expect(seen.evidence.chain == ["tmux", "bash", "git", "ssh"])
    #expect(finder.program(behind: 201)?.file == nil)
    tree.add(202, parent: 100, runs: "/usr/bin/python3", ["-c", "import paramiko"])
    #expect(try #require(ProgramFinder(processes: tree).program(runBy: 202)).file == nil)
  }

  @Test("A subshell is the script that forked it, and the lifetime is the script's")
  func subshell() throws {
    var tree = tree()
    let arguments = ["/home/ana/backup.sh"]
    tree.addFile("/home/ana/backup.sh", at: "/home/ana/backup.sh")
    tree.add(200, parent: 100, runs: "/bin/bash", arguments)
    tree.add(201, parent: 200, runs: "/bin/bash", arguments, isFork: true)
    tree.add(202, parent: 201, runs: "/bin/bash", arguments, isFork: true)
    tree.add(203, parent: 202, runs: "/usr/bin/permtui")
    #expect(try program(behind: 203, in: tree).evidence.process.pid == 200)
    #expect(try program(behind: 203, in: tree).evidence.chain == ["tmux", "bash", "backup.sh"])
  }

  @Test("A script that runs itself anew is another process of the same program")
  func recursion() throws {
    var tree = tree()
    tree.addFile("backup.sh", at: "/home/ana/backup.sh")
    tree.add(200, parent: 100, runs: "/bin/bash", ["backup.sh"])
    tree.add(201, parent: 200, runs: "/bin/bash", ["backup.sh"])
    tree.add(202, parent: 201, runs: "/usr/bin/permtui")
    #expect(try program(behind: 202, in: tree).evidence.process.pid == 201)
  }

  @Test(
    "A shell that passes one command on is not the program",
    arguments: [["-c", "x"], ["-ec", "x"], ["-o", "pipefail", "-c", "x"]])
  func commandShell(_ arguments: [String]) throws {
    var tree = tree()
    tree.add(200, parent: 100, runs: "/usr/bin/python3.11", ["job.py"])
    tree.addFile("job.py", at: "/srv/job.py")
    tree.add(201, parent: 200, runs: "/bin/dash", arguments)
    tree.add(202, parent: 201, runs: "/usr/bin/permtui")
    let seen = try program(behind: 202, in: tree)
    #expect(seen.file?.path == "/srv/job.py")
    #expect(seen.evidence.interpreter == "python3.11")
  }

  @Test("make is known by its Makefile")
  func make() throws {
    var tree = tree()
    tree.add(200, parent: 100, runs: "/usr/bin/make", ["-j", "4", "deploy"])
    tree.addFile("Makefile", at: "/srv/site/Makefile")
    tree.add(201, parent: 200, runs: "/bin/dash", ["-c", "permtui request deploy"])
    tree.add(202, parent: 201, runs: "/usr/bin/permtui")
    #expect(try program(behind: 202, in: tree).file?.path == "/srv/site/Makefile")
  }

  @Test("Typed into a shell, the shell is the program")
  func interactive() throws {
    var tree = tree()
    tree.add(200, parent: 100, runs: "/usr/bin/permtui")
    let seen = try program(behind: 200, in: tree)
    #expect(seen.file?.path == "/bin/bash")
    #expect(seen.evidence.interpreter == nil)
  }

  @Test("An orphan that only permtui is left of cannot be known")
  func orphan() throws {
    var tree = tree()
    tree.add(200, parent: 1, runs: "/usr/bin/permtui")
    let seen = try program(behind: 200, in: tree)
    #expect(seen.file == nil)
    #expect(seen.evidence.doubt == "what started process 200 is gone or outside its sandbox")
    #expect(!seen.subject(label: "backup").isUnbound)
    #expect(!seen.evidence.isUnreadable)
  }

  @Test("A parent that started after its child is not its parent")
  func reusedNumber() throws {
    var tree = tree()
    tree.add(200, parent: 100, runs: "/bin/bash", ["job.sh"], startTime: 900)
    tree.addFile("job.sh", at: "/srv/job.sh")
    tree.add(201, parent: 200, runs: "/usr/bin/permtui", startTime: 800)
    #expect(try program(behind: 201, in: tree).file == nil)
  }

  @Test("A process that hides its file cannot be known")
  func unreadable() throws {
    var tree = tree()
    tree.add(200, parent: 100, runs: nil)
    tree.add(201, parent: 200, runs: "/usr/bin/permtui")
    #expect(try program(behind: 200, in: tree).evidence.doubt == "process 200 cannot be read")
    #expect(try program(behind: 201, in: tree).evidence.doubt == "process 200 cannot be read")
  }

  @Test("A script is looked up once, and the other files that it could be are not looked up")
  func lookups() throws {
    var tree = tree()
    tree.add(200, parent: 100, runs: "/usr/bin/make")
    tree.addFile("makefile", at: "/home/ana/makefile")
    let seen = try #require(ProgramFinder(processes: tree).program(behind: 200))
    #expect(seen.file?.path == "/home/ana/makefile")
    #expect(tree.lookups.scripts.withLock(\.self) == ["GNUmakefile", "makefile"])
  }

  @Test("A script that is gone cannot be known")
  func goneScript() throws {
    var tree = tree()
    tree.add(200, parent: 100, runs: "/usr/bin/python3", ["job.py"])
    let seen = try program(behind: 200, in: tree)
    #expect(seen.file == nil)
    #expect(seen.evidence.doubt == "the script job.py cannot be found")
  }

  @Test("In a sandbox the search ends at its wall, and the program is marked")
  func sandbox() throws {
    var tree = tree()
    tree.add(200, parent: 100, runs: "/usr/bin/bwrap")
    tree.add(201, parent: 200, runs: "/usr/bin/app", mountNamespace: 7)
    tree.add(202, parent: 201, runs: "/usr/bin/permtui", mountNamespace: 7)
    let seen = try program(behind: 202, in: tree)
    #expect(seen.file?.path == "/usr/bin/app")
    #expect(seen.subject(label: "app").isSandboxed)

    tree.add(203, parent: 200, runs: "/usr/bin/permtui", mountNamespace: 7)
    #expect(try program(behind: 203, in: tree).file == nil)
  }

  @Test(
    "A program behind which there are only launchers is in doubt",
    arguments: [
      "/usr/bin/bwrap", "/usr/bin/tini", "/usr/lib/systemd/systemd", "/usr/sbin/cron", "/usr/bin/tmux",
    ])
  func onlyLaunchers(_ launcher: String) throws {
    var tree = FakeProcesses()
    tree.add(1, parent: 0, runs: "/usr/lib/systemd/systemd")
    tree.add(60, parent: 1, runs: launcher)
    tree.add(61, parent: 60, runs: "/bin/dash", ["-c", "permtui request photos; true"])
    tree.add(62, parent: 61, runs: "/usr/bin/permtui")
    let seen = try program(behind: 62, in: tree)
    #expect(seen.file == nil)
    #expect(seen.evidence.doubt != nil)
    #expect(!seen.evidence.isUnreadable)
  }

  @Test("A shell that reads no terminal runs what no file holds")
  func pipedShell() throws {
    var tree = tree()
    tree.add(200, parent: 100, runs: "/bin/bash", readsTerminal: false)
    tree.add(201, parent: 200, runs: "/usr/bin/permtui")
    let seen = try program(behind: 201, in: tree)
    #expect(seen.file == nil)
    #expect(seen.evidence.doubt == "bash runs what it reads from its input, which is in no file")
  }

  @Test("Two sandboxes with the same file are two programs, and two times the same number are two sandboxes")
  func sandboxes() throws {
    var subjects: Set<Subject> = []
    for (first, namespace) in [(300, 7), (400, 8), (500, 7)] as [(Int32, UInt64)] {
      var tree = tree()
      tree.add(first, parent: 100, runs: "/usr/bin/bwrap")
      tree.add(first + 1, parent: first, runs: "/usr/bin/app", mountNamespace: namespace)
      tree.add(first + 2, parent: first + 1, runs: "/usr/bin/permtui", mountNamespace: namespace)
      subjects.insert(try program(behind: first + 2, in: tree).subject(label: "app"))
    }
    #expect(subjects.count == 3)
  }

  @Test("A namespace that cannot be read is a doubt, not a yes")
  func unreadableNamespace() throws {
    var tree = tree()
    tree.add(200, parent: 100, runs: "/usr/bin/curl", mountNamespace: nil)
    #expect(try program(behind: 200, in: tree).evidence.doubt != nil)
  }

  @Test("A number that no process has leads to no program")
  func noProcess() {
    #expect(ProgramFinder(processes: tree()).program(behind: 4711) == nil)
  }

  @Test("A loop of parents ends the search")
  func loop() throws {
    var tree = FakeProcesses()
    tree.add(10, parent: 11, runs: "/usr/bin/permtui", startTime: 5)
    tree.add(11, parent: 10, runs: "/usr/bin/permtui", startTime: 5)
    #expect(try program(behind: 10, in: tree).file == nil)
  }

  @Test("A Deno script is known by its file, one from an address by the address, and code by neither")
  func deno() throws {
    var family = FakeProcesses()
    family.add(10, parent: 1, runs: "/usr/bin/bash")
    family.add(20, parent: 10, runs: "/opt/deno", ["run", "-A", "main.ts"])
    family.add(30, parent: 10, runs: "/opt/deno", ["run", "https://example.org/app/mod.ts"])
    family.add(40, parent: 10, runs: "/opt/deno", ["eval", "1"])
    family.addFile("main.ts", at: "/home/ana/app/main.ts")
    let finder = ProgramFinder(processes: family)
    let script = try #require(finder.program(behind: 20))
    #expect(script.file == seen("/home/ana/app/main.ts") && script.evidence.interpreter == "deno")
    let fetched = try #require(finder.program(behind: 30))
    let subject = fetched.subject(label: nil)
    #expect(subject.path == "https://example.org/app/mod.ts" && subject.label == subject.path)
    #expect(!subject.isUnbound && !subject.isVouched && subject.file == nil && fetched.evidence.doubt == nil)
    #expect(try #require(finder.program(behind: 40)).evidence.doubt != nil)
  }
}
