import Foundation
import TerminalTesting
import Testing
import Waiting

/// The names to which a known program writes whenever it runs, and of which its run has private copies.
@Suite("Private copies", .needsWalls, .timeLimit(.minutes(5)))
struct CopyTests {
  /// A program that is known as pip, and does what it is told.
  private static let pip = Result {
    let path = try OrdinaryUser.shared.get().program("pip")
    try "#!/bin/sh\nexec \"$@\"\n".write(toFile: path, atomically: false, encoding: .utf8)
    chmod(path, 0o755)
    return path
  }

  /// A home with a cache in which a few files are, which may be read.
  private func ground(isReadable: Bool = true) async throws -> Ground {
    let ground = try await Ground(isAllowed: false)
    let made = try await ground.outside(
      "sh", "-c",
      """
      mkdir -p home/.cache/pip/o0/o1; cd home/.cache/pip
      for f in a b o0/a o0/c o0/o1/b; do echo "before in $f" > $f; done; ln -s a link
      """)
    #expect(made.ending == .exited(0), "\(made.messages)")
    if isReadable { try await ground.decide("allow", "files:read@\(ground.file("home/.cache/pip"))/") }
    return ground
  }

  private func command(_ ground: Ground, _ words: [String], _ options: [String] = []) throws -> [String] {
    let walls = [ground.user.program("permtui-run"), "--alone", "--fuse", ground.user.fuse]
    let store = options.contains("--store") ? [] : ["--store", ground.store]
    return ["env", "HOME=\(ground.file("home"))"] + walls + store + ["--as", "run"] + options
      + ["--", try Self.pip.get()] + words
  }

  private func run(_ ground: Ground, _ line: String, _ options: [String] = []) async throws -> ProcessRun {
    try await ground.run(command(ground, ["sh", "-c", "cd ~/.cache/pip 2>/dev/null; \(line)"], options))
  }

  private func start(_ ground: Ground, _ line: String) throws -> Running {
    try ground.start(command(ground, ["sh", "-c", "cd ~/.cache/pip; \(line)"]))
  }

  private func python(_ ground: Ground, _ code: String) async throws -> ProcessRun {
    let start = "import ctypes, errno, mmap, os, sqlite3\nos.chdir(os.environ['HOME'] + '/.cache/pip')\n"
    return try await ground.run(command(ground, ["python3", "-I", "-c", start + code]))
  }

  /// All that is in the home, with the contents of files.
  private func tree(_ ground: Ground) async throws -> String {
    try await ground.outside(
      "sh", "-c",
      "cd home; find . -printf '%p %m %s %T@ %l\\n' -type f -exec cat {} \\;"
    ).output
  }

  private func copies(_ ground: Ground) -> [String] {
    let folder = URL(filePath: ground.store).deletingLastPathComponent().path + "/run-copies"
    return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  // MARK: What it looks like

  @Test(
    "A program changes its cache as it likes, is asked nothing, and nothing changes outside",
    arguments: 1...12)
  func changes(_ seed: Int) async throws {
    let ground = try await ground()
    let script = ground.user.program("copies.py")
    _ = try await ground.outside("cp", "-a", "home/.cache/pip", "same")
    let before = try await tree(ground)
    let inside = try await ground.run(
      command(ground, ["python3", script, ground.file("home/.cache/pip"), "\(seed)"]))
    let outside = try await ground.outside("python3", script, ground.file("same"), "\(seed)")
    #expect(!inside.messages.contains("asks"), "\(inside.messages)")
    #expect(inside.ending == .exited(0), "\(inside.messages)")
    let lines = zip(inside.output.split(separator: "\n"), outside.output.split(separator: "\n"))
    let first = lines.first { $0 != $1 }
    #expect(first == nil, "inside: \(first?.0 ?? "") outside: \(first?.1 ?? "")")
    #expect(inside.output == outside.output)
    #expect(try await tree(ground) == before)
    #expect(copies(ground) == [])
  }

  @Test(
    "A cache that is not there yet is there for the run, and not outside",
    arguments: ["rm -r home/.cache/pip", "rm -r home/.cache", "rm -r home/.cache; mkdir home/.cache"])
  func missing(_ line: String) async throws {
    let ground = try await ground(isReadable: false)
    _ = try await ground.outside("sh", "-c", line)
    let before = try await tree(ground)
    let run = try await run(
      ground, "mkdir -p ~/.cache/pip/http; echo x > ~/.cache/pip/http/x; cat ~/.cache/pip/*/x")
    #expect(run.output == "x\n", "\(run.messages)")
    #expect(!run.messages.contains("asks"), "\(run.messages)")
    #expect(try await tree(ground) == before)
  }

  @Test("Reading what is there outside is asked about, also to change it; what the run has made is not")
  func reading() async throws {
    let ground = try await ground(isReadable: false)
    let cache = ground.file("home/.cache/pip")
    try await ground.decide("deny", "files:read@\(cache)/b")
    let line =
      "echo x > new; cat new; cat b; echo more >> b; echo instead > b; cat b; rm o0/a; cat o0/a; cat a"
    let running = try start(ground, line)
    try await running.asked("files:read@\(cache)/a")
    try await running.printed("x\n")
    #expect(running.output == "x\n", "\(running.messages)")
    #expect(!running.messages.contains("asks files:write"), "\(running.messages)")
    try await ground.decide("allow", "files:read@\(cache)/a")
    #expect(try await running.end() == 0)
    #expect(running.output == "x\nbefore in a\n")
    #expect(try ground.text("home/.cache/pip/b") == "before in b\n")
  }

  @Test("A file that may be written outside is written there")
  func allowed() async throws {
    let ground = try await ground()
    try await ground.decide("allow", "files:write@\(ground.file("home/.cache/pip"))/")
    let run = try await run(ground, "echo x > new")
    #expect(run.ending == .exited(0), "\(run.messages)")
    #expect(try ground.text("home/.cache/pip/new") == "x\n")
  }

  @Test(
    "An agent changes its settings in a copy, of which the person is told; its login, and what it may write, are outside"
  )
  func settings() async throws {
    let ground = try await ground()
    let made = try await ground.outside(
      "sh", "-c",
      """
      cd home; mkdir -p .claude/todos; echo before > .claude.json; cp .claude.json .claude/settings.json
      cp .claude.json .claude/.credentials.json; cp .claude.json .claude/history.jsonl; cp "$0" claude
      """, try Self.pip.get())
    #expect(made.ending == .exited(0), "\(made.messages)")
    let claude = ground.file("home/.claude")
    try await ground.decide("allow", "files:read@\(claude)/")
    for name in ["home/.claude.json", "home/claude"] {
      try await ground.decide("allow", "files:read@\(ground.file(name))")
    }
    try await ground.decide("allow", "files:write@\(claude)/history.jsonl")
    let running = try ground.start(
      ["env", "HOME=\(ground.file("home"))", ground.user.program("permtui-run"), "--alone", "--fuse"]
        + [
          ground.user.fuse, "--store", ground.store, "--as", "run", "--", ground.file("home/claude"), "sh",
          "-c",
        ]
        + [
          """
          cd ~; mkdir .claude.json.lock; echo after > .claude.json.tmp.2.ab; mv .claude.json.tmp.2.ab .claude.json
          rmdir .claude.json.lock; echo x >> .claude/settings.json; echo x > .claude/todos/x; mkdir .claude/new
          mv .claude/todos/x .claude/new; echo x >> .claude/history.jsonl; cat .claude.json .claude/new/x
          echo token > .claude/.credentials.json
          """
        ])
    try await running.asked("files:write@\(claude)/.credentials.json")
    try await running.printed("after\nx\n")
    try await ground.decide("allow", "files:write@\(claude)/.credentials.json")
    #expect(try await running.end() == 0)
    #expect(running.messages.components(separatedBy: " asks ").count == 2, "\(running.messages)")
    for name in ["~/.claude.json", "~/.claude/settings.json"] {
      #expect(running.messages.contains("permtui-run: \(name) was changed"), "\(running.messages)")
    }
    let left = try await ground.outside(
      "sh", "-c", "cd home; cat .claude.json .claude/*.json; find .claude -type f | sort")
    #expect(
      left.output == """
        before
        before
        .claude/.credentials.json
        .claude/history.jsonl
        .claude/settings.json

        """)
    #expect(try ground.text("home/.claude/.credentials.json") == "token\n")
    #expect(try ground.text("home/.claude/history.jsonl") == "before\nx\n")
    #expect(copies(ground) == [])
  }

  @Test("Other names, and other programs, have no copy")
  func others() async throws {
    let ground = try await ground()
    let running = try start(ground, "echo x > ../beside")
    try await running.asked("files:write@\(ground.file("home/.cache/beside"))")
    let other = try ground.start([
      "env", "HOME=\(ground.file("home"))", ground.user.program("permtui-run"), "--alone", "--fuse",
      ground.user.fuse, "--store", ground.store, "--", "sh", "-c", "echo x > ~/.cache/pip/new",
    ])
    try await other.asked("files:write@\(ground.file("home/.cache/pip/new"))")
  }

  @Test("Handles and mappings that are open see what is written to the copy, and a database works there")
  func handles() async throws {
    let ground = try await ground()
    _ = try await ground.outside(
      "python3", "-c",
      """
      import sqlite3; d = sqlite3.connect("home/.cache/pip/data.db"); d.execute("pragma journal_mode=wal")
      d.execute("create table t (n)"); d.execute("insert into t values (1)"); d.commit()
      """)
    let run = try await python(
      ground,
      """
      early = open("a"); map = mmap.mmap(early.fileno(), 0, prot=mmap.PROT_READ)
      print(early.read()); open("a", "r+").write("AFTER"); early.seek(0); print(early.read(), bytes(map))
      both = mmap.mmap(os.open("b", os.O_RDWR), 0); both[:3] = b"map"; both.flush(); print(open("b").read())
      d = sqlite3.connect("data.db"); d.execute("insert into t values (2)"); d.commit()
      print(sqlite3.connect("data.db").execute("select count(*) from t").fetchone())
      """)
    #expect(
      run.output == """
        before in a

        AFTERe in a
         b'AFTERe in a\\n'
        mapore in b

        (2,)

        """, "\(run.messages)")
    let rows = try await ground.outside(
      "python3", "-c",
      "import sqlite3; print(sqlite3.connect('home/.cache/pip/data.db').execute('select * from t').fetchall())"
    )
    #expect(rows.output == "[(1,)]\n")
  }

  // MARK: Attacks

  @Test("An entry cannot be moved or linked across its border, nor can a folder above it be moved")
  func border() async throws {
    let ground = try await ground()
    for part in ["read", "write"] {
      try await ground.decide("allow", "files:\(part)@\(ground.file("home"))/x/")
    }
    try await ground.decide("allow", "files:write@\(ground.file("home/.cache/y"))/")
    _ = try await ground.outside(
      "sh", "-c", "mkdir home/x home/.cache/y; echo x > home/x/x; echo y > home/.cache/y/y")
    let run = try await python(
      ground,
      """
      libc = ctypes.CDLL(None, use_errno=True)
      def attempt(name, body):
          try: body(); print(name, "succeeded")
          except OSError as error: print(name, errno.errorcode[error.errno])
      def exchange(a, b):
          if libc.renameat2(-100, a, -100, b, 2): raise OSError(ctypes.get_errno(), "")
      attempt("link in", lambda: os.link("../../x/x", "x"))
      attempt("link out", lambda: os.link("a", "../../x/a"))
      attempt("move in", lambda: os.rename("../../x/x", "x"))
      attempt("move out", lambda: os.rename("a", "../../x/a"))
      attempt("exchange", lambda: exchange(b"a", b"../../x/x"))
      attempt("move itself", lambda: os.rename("../pip", "../y/pip"))
      attempt("move a folder", lambda: os.rename("o0", "o2"))
      """)
    #expect(
      run.output == """
        link in EXDEV
        link out EXDEV
        move in EXDEV
        move out EXDEV
        exchange EXDEV
        move itself EXDEV
        move a folder EXDEV

        """, "\(run.messages)")
    let above = try await ground.outside(
      ground.user.program("permtui"), "--store", ground.store, "allow", "run",
      "files:write@\(ground.file("home/.cache"))")
    #expect(above.ending == .exited(0), "\(above.messages)")
    let moved = try await self.run(ground, "mv ~/.cache ~/x/")
    #expect(moved.messages.contains("busy"), "\(moved.messages)")
  }

  @Test("A link in the copy leads through the walls, and so does one that was there")
  func links() async throws {
    let ground = try await ground()
    _ = try await ground.outside(
      "sh", "-c",
      "echo SECRET > home/secret; ln -s ../../secret home/.cache/pip/out; ln -s ../../free home/.cache/pip/free"
    )
    try await ground.decide("deny", "files:read@\(ground.file("home/secret"))")
    let run = try await run(
      ground, "cat out; ln -s ../../secret mine; cat mine ../../secret; cp -P out out2; cat out2; echo end")
    #expect(run.output == "end\n", "\(run.messages)")
    let running = try start(ground, "echo x > free")
    try await running.asked("files:write@\(ground.file("home/free"))")
  }

  @Test(
    "A denial wins, from the start or as soon as it is there, and so does a panic", arguments: [true, false])
  func denied(isPanic: Bool) async throws {
    let ground = try await ground()
    let cache = ground.file("home/.cache/pip")
    try await ground.decide("deny", "files:write@\(cache)/o0/")
    let running = try start(
      ground,
      """
      echo x > o0/x && echo wrote; rm o0/a && echo removed; mkdir o0/d && echo made; mv a o0/ && echo moved
      exec 3>> log; echo started; until ! echo more >&3; do sleep 0.01; done 2>/dev/null; echo ended; cat log | head -1
      """)
    try await running.printed("started")
    #expect(running.output == "started\n", "\(running.messages)")
    if isPanic { try await ground.panic() } else { try await ground.decide("deny", "files:write@\(cache)/") }
    try await running.printed("ended")
    _ = try await running.end()
    #expect(isPanic ? running.output == "started\nended\n" : running.output.hasSuffix("ended\nmore\n"))
  }

  @Test("Two runs at once do not see what the other one writes")
  func two() async throws {
    let ground = try await ground()
    let first = try start(
      ground, "echo first > a; echo made; until [ -e ~/go ]; do sleep 0.01; done; cat a; ls")
    try await first.printed("made")
    let second = try await run(ground, "cat a; echo second > a; echo x > second; cat a")
    #expect(second.output == "before in a\nsecond\n", "\(second.messages)")
    #expect(copies(ground).count == 1)
    try ground.write("", to: "home/go")
    #expect(try await first.end() == 0, "\(first.messages)")
    #expect(first.output == "made\nfirst\na\nb\nlink\no0\n")
    #expect(copies(ground) == [])
  }

  @Test("If the warden is killed, the next run removes what is left, however deep it is")
  func killed() async throws {
    let ground = try await ground()
    let running = try start(
      ground,
      """
      for n in 1 2 3 4 5 6 7 8 9 10; do mkdir ddddddddddddddd$n; echo x > f; chmod 500 .; cd ddddddddddddddd$n; done
      python3 -c 'import os
      for n in range(1500): os.mkdir("d"); os.chdir("d")
      print("ready", flush=True)'; sleep 100
      """)
    try await running.printed("ready")
    let wardens = processes(with: "\0--store\0\(ground.store)\0")
    for warden in wardens.compactMap({ pid_t($0) }) { kill(warden, SIGKILL) }
    try await until { processes(with: "\0--store\0\(ground.store)\0").isEmpty }
    #expect(copies(ground).count == 1)
    let waiting = try start(ground, "echo waits; until [ -e ~/go ]; do sleep 0.01; done")
    try await waiting.printed("waits")
    try await until { copies(ground).count == 1 }
    try ground.write("", to: "home/go")
    #expect(try await waiting.end() == 0)
    #expect(copies(ground) == [])
  }

  @Test(
    "A full disk is an error of the write, and what is there outside can still be read",
    .enabled(if: getuid() == 0))
  func fullDisk() async throws {
    let ground = try await ground()
    _ = try await ground.outside("sh", "-c", "mkdir disk; head -c 6000000 /dev/zero > home/.cache/pip/big")
    try await ground.mountSmallDisk("disk", size: "4m")
    let store = ["--store", ground.file("disk/s/permissions.sqlite")]
    let allowed = try await ground.outside(
      ground.user.program("permtui"), store[0], store[1], "allow", "run",
      "files:read@\(ground.file("home/.cache/pip"))/")
    #expect(allowed.ending == .exited(0), "\(allowed.messages)")
    // The kernel tells a file system later that a file was closed, and only then is its space free.
    let run = try await run(
      ground,
      """
      echo x >> big || wc -c < big; dd if=/dev/zero of=new bs=1k count=9000 2>&1 | grep -c 'No space left'
      rm new; until echo more >> a; do :; done 2> /dev/null; cat a
      """, store)
    #expect(run.output == "6000000\n1\nbefore in a\nmore\n", "\(run.messages)")
    #expect(run.messages.contains("No space left"), "\(run.messages)")
    try await ground.unmount("disk")
  }
}
