import Foundation
import TerminalTesting
import Testing
import Waiting

/// Folders that programs behind walls use as they are outside.
@Suite("Native folders", .needsWalls, .timeLimit(.minutes(5)))
struct NativeTests {
  /// A project in which nothing is allowed, with a folder `target`.
  private func ground(_ line: String = "true") async throws -> Ground {
    let ground = try await Ground(isAllowed: false)
    let made = try await ground.outside("sh", "-c", "mkdir target; echo before > target/file; \(line)")
    #expect(made.ending == .exited(0), "\(made.messages)")
    return ground
  }

  private func run(_ ground: Ground, native folder: String = "target", _ line: String) async throws
    -> ProcessRun
  {
    try await ground.insideItself(["--native", folder], "sh", "-c", line)
  }

  private func start(_ ground: Ground, _ line: String) throws -> Running {
    try ground.startInside(options: ["--native", "target"], shell: line)
  }

  @Test(
    "In one, nobody is asked, and both sides see at once what the other does; beside it, everything is asked")
  func uses() async throws {
    let ground = try await ground()
    let running = try start(
      ground,
      """
      cat target/file; mkdir -p target/a/b; echo inside > target/a/b/c; echo made
      until [ -e target/outside ]; do :; done; cat target/outside; echo x > beside
      """)
    try await running.printed("before\nmade")
    #expect(try ground.text("target/a/b/c") == "inside\n")
    _ = try await ground.outside("sh", "-c", "echo outside > target/.new; mv target/.new target/outside")
    try await running.asked("files:write@\(ground.file("beside"))")
    try await running.printed("before\nmade\noutside\n")
    #expect(
      running.messages.hasPrefix(
        "permtui-run: \(ground.file("target")) is used as it is outside: nothing is asked there, and nothing can be "
          + "taken back. A panic ends the program\n"), "\(running.messages)")
  }

  @Test("A database that shares memory is used inside and outside at once, and no row is lost")
  func database() async throws {
    let ground = try await ground()
    func script(_ name: String) -> String { ground.user.program("\(name).py") }
    _ = try await ground.outside("python3", script("database"), "make", "target/data.db", "wal")
    let inside = try start(ground, "python3 \(script("writer")) target/data.db inside 200")
    let outside = try ground.startOutside("python3", script("writer"), "target/data.db", "outside", "200")
    #expect(try await inside.end() == 0, "\(inside.messages)")
    #expect(try await outside.end() == 0, "\(outside.messages)")
    let rows = try await ground.outside("python3", script("database"), "rows", "target/data.db").output
    #expect(rows.hasPrefix("ok\n"))
    let told = Set((inside.output + outside.output).split(separator: "\n"))
    #expect(told.count == 400, "\(inside.messages)\(outside.messages)")
    #expect(told.isSubset(of: Set(rows.split(separator: "\n"))))
  }

  // MARK: Refused

  @Test(
    "A folder that is not fit is refused, and nothing runs",
    arguments: [
      // The name, what is made before, and the reason.
      (".", "true", "the program works in it"), ("..", "true", "the program works in it"),
      ("/", "true", "it belongs to another user"),
      ("missing", "true", "there is no such folder; make it first"),
      ("target/file", "true", "it is no folder"),
      ("link", "ln -s target link", "it is no folder; if a link leads there, name the folder itself"),
      ("way/target", "mkdir -p real/target; ln -s real way", "a link leads there"),
      ("p", "mkdir p; touch p/Cargo.toml", "it is a project's, as it has Cargo.toml in it"),
      ("p", "git init -q p", "it is a project's, as it has .git in it"),
      (
        "target", "mkdir target/x; ln -s file target/x/.npmrc",
        "target/x/.npmrc is a protected name, and a link"
      ),
      (
        "target", "mkdir -p target/.vscode/a; ln target/file target/.vscode/a/second",
        "target/.vscode/a/second is protected, and has another name that is not"
      ),
      (
        "target", "mkdir -p target/.vscode; mkfifo target/.vscode/pipe", "target/.vscode/pipe is a named pipe"
      ),
      (
        "target", "for n in $(seq 1001); do mkdir target/$n; touch target/$n/.npmrc; done",
        "it has 1001 protected names in it, and at most 1000 can be kept"
      ),
      (".git/objects", "git init -q .", "it is protected"),
      (".claude/cache", "mkdir -p .claude/cache", "it is protected"),
      (
        "target", "ln target/file second", "target/file is a file that has another name outside of the folder"
      ),
      ("target", "mkfifo target/pipe", "target/pipe is a named pipe"),
      (
        "target", "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"target/s\")'",
        "target/s is a socket"
      ),
      ("target", "mkdir target/closed; chmod 0 target/closed", "target/closed cannot be looked at"),
      ("/tmp", "true", "it belongs to another user"), ("/usr/lib", "true", "it belongs to another user"),
    ])
  func refused(_ folder: String, _ line: String, _ reason: String) async throws {
    let ground = try await ground(line)
    let run = try await run(ground, native: folder, "echo ran")
    #expect(run.ending == .exited(125))
    #expect(run.output == "")
    #expect(
      run.messages.contains("permtui-run: \(folder) cannot be used as it is outside: \(reason)"),
      "\(run.messages)")
    _ = try await ground.outside("sh", "-c", "chmod -f 700 target/closed")
  }

  @Test(
    "Folders of the home that hold protected names, or could, are refused, whether or not there are any",
    arguments: ["", ".config", ".local", ".local/share", ".cargo", "go", ".config/git", ".ssh"])
  func refusedInHome(_ folder: String) async throws {
    let ground = try await ground("mkdir -p home/\(folder)")
    let walls = [
      ground.user.program("permtui-run"), "--alone", "--fuse", ground.user.fuse, "--store", ground.store,
    ]
    let run = try await ground.run(
      ["env", "HOME=\(ground.file("home"))"] + walls + ["--native", "home/\(folder)", "--", "echo", "ran"])
    #expect(run.ending == .exited(125))
    #expect(run.messages.contains("home/\(folder) cannot be used as it is outside: "), "\(run.messages)")
  }

  @Test("The folder of a store is refused, and so is one below which it lies")
  func store() async throws {
    let ground = try await ground()
    try await ground.decide("allow", "files:read@\(ground.file("x"))")
    let folder = URL(filePath: ground.store).deletingLastPathComponent().path
    let run = try await run(ground, native: folder, "echo ran")
    #expect(run.ending == .exited(125), "\(run.messages)")
    #expect(run.messages.contains("cannot be used as it is outside"), "\(run.messages)")
  }

  @Test("A folder in which something else is mounted is refused", .enabled(if: getuid() == 0))
  func mounted() async throws {
    let ground = try await ground("mkdir target/disk")
    try await ground.mountSmallDisk("target/disk", size: "64k")
    let run = try await run(ground, "echo ran")
    try await ground.unmount("target/disk")
    #expect(run.ending == .exited(125))
    #expect(run.messages.contains("target/disk is another file system"), "\(run.messages)")
  }

  @Test(
    "A folder of which a part is denied is refused, because nothing in it could be refused later",
    arguments: [
      "files:write@target/file", "files:read@target/a/b/secret", "files:read@target/", "files:write@",
    ])
  func denied(_ denial: String) async throws {
    let ground = try await ground()
    let parts = denial.split(separator: "@", omittingEmptySubsequences: false)
    try await ground.decide("deny", "\(parts[0])@\(ground.work)/\(parts[1])")
    let run = try await run(ground, "echo ran")
    #expect(run.ending == .exited(125))
    #expect(run.messages.contains("is against it"), "\(run.messages)")
  }

  @Test("A denial for everyone counts, too, although it is wider")
  func deniedToEveryone() async throws {
    let ground = try await ground()
    _ = try await ground.permtui("deny", "everyone", "files:write@\(ground.work)/")
    let run = try await run(ground, "echo ran")
    #expect(run.ending == .exited(125))
    #expect(run.output == "")
  }

  @Test("During a panic, it is refused")
  func refusedInPanic() async throws {
    let ground = try await ground()
    try await ground.panic()
    let run = try await run(ground, "echo ran")
    #expect(run.ending == .exited(125))
    #expect(run.output == "")
  }

  // MARK: Attacks from outside

  @Test("If another folder or a link is put in its place again and again, the one that is used was looked at")
  func replaced() async throws {
    let ground = try await ground(
      "mkdir -p bad/.git elsewhere/.ssh; ln -s elsewhere link; for n in 1 2 3; do mkdir target/$n; done")
    let code = """
      import ctypes, os
      libc = ctypes.CDLL(None)
      def swap(a, b): libc.renameat2(-100, a, -100, b, 2)
      while not os.path.exists("stop"):
          swap(b"target", b"bad"); swap(b"target", b"bad"); swap(b"target", b"link"); swap(b"target", b"link")
      """
    let swapper = try ground.startOutside("python3", "-I", "-c", code)
    for _ in 0..<60 {
      // If the folder has lost its place inside, the shadow is asked, which is fixed here.
      _ = try await ground.insideItself(
        ["--fixed", "--native", "target"], "sh", "-c", "for n in 1 2 3 4 5; do touch target/mark; done")
    }
    try ground.write("", to: "stop")
    _ = try await swapper.end()
    // While they are swapped, each name can lead to either.
    #expect(
      try await ground.outside("find", "bad/", "elsewhere/", "-name", ".git", "-o", "-name", "mark").output
        == "bad/.git\n")
  }

  @Test(
    "If a folder above it is renamed outside, its new name is asked about, and the run cannot climb out of it"
  )
  func renamedAbove() async throws {
    let ground = try await Ground(isAllowed: false)
    _ = try await ground.outside(
      "sh", "-c", "mkdir -p sub/target/d; echo SECRET > secret; echo x > sub/target/x")
    let code = """
      import os, time
      d = os.open("sub/target/d", os.O_RDONLY)
      print("ready", flush=True)
      while os.path.exists("sub"): time.sleep(0.01)
      def attempt(body):
          try: print(body(), flush=True)
          except OSError as error: print(error.errno in (2, 13, 116), flush=True)
      attempt(lambda: open("sub/target/x").read())
      for way in ("../../../secret", "../../../../secret", "../../../../work/secret"):
          attempt(lambda: os.read(os.open(way, os.O_RDONLY, dir_fd=d), 100))
      open("other/target/x").read()
      """
    let running = try ground.start([
      ground.user.program("permtui-run"), "--alone", "--fuse", ground.user.fuse, "--store", ground.store,
      "--as", "run",
      "--native", "sub/target", "--", "python3", "-I", "-c", code,
    ])
    try await running.printed("ready")
    try await ground.decide("deny", "files:read@\(ground.file("secret"))")
    _ = try await ground.outside("mv", "sub", "other")
    try await running.asked("files:read@\(ground.file("other/target/x"))")
    try await until { running.output.count(where: \.isNewline) == 5 }
    #expect(!running.output.contains("SECRET"), "\(running.output)")
    #expect(running.output.hasPrefix("ready\nTrue\n"), "\(running.output)")
  }

  @Test("A folder in it that is moved away outside is no way up")
  func movedAway() async throws {
    let ground = try await ground("mkdir -p target/a/b; echo SECRET > secret")
    let code = """
      import os, time
      b = os.open("target/a/b", os.O_RDONLY); os.chdir("target/a/b")
      print("ready", flush=True)
      while True:
          try: os.stat("go", dir_fd=b); break
          except OSError: time.sleep(0.01)
      for way in ("..", "../secret", "../../secret", "../work/secret"):
          for folder in (b, None):
              try: print(os.open(way, os.O_RDONLY, dir_fd=folder), way)
              except OSError: print("no")
      """
    let running = try ground.start([
      ground.user.program("permtui-run"), "--alone", "--fuse", ground.user.fuse, "--store", ground.store,
      "--native",
      "target", "--", "python3", "-I", "-c", code,
    ])
    try await running.printed("ready")
    _ = try await ground.outside("sh", "-c", "mv target/a/b away; touch away/go")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "ready\n" + String(repeating: "no\n", count: 8), "\(running.messages)")
  }

  // MARK: Protected names

  @Test("Protected names in it can be read, and neither changed, moved, removed nor linked")
  func kept() async throws {
    let ground = try await ground(
      "mkdir -p target/x/y/.git/hooks; echo npm > target/x/.npmrc; echo rc > target/x/y/.ENVRC; echo h > target/x/y/.git/hooks/h"
    )
    let code = """
      import ctypes, errno, os
      libc = ctypes.CDLL(None, use_errno=True)
      os.chdir("target/x")
      def attempt(name, body):
          try: print(name, body())
          except OSError as error: print(name, errno.errorcode[error.errno])
      def exchange(a, b):
          if libc.renameat2(-100, a, -100, b, 2): raise OSError(ctypes.get_errno(), "")
      open("new", "w").write("x")
      for name in ".npmrc", "y/.ENVRC", "y/.git/hooks/h": attempt("read", lambda: open(name).read().strip())
      for name in ".npmrc", "y/.ENVRC", "y/.git/hooks/h", "y/.git/hooks/new", "y/.git/new":
          attempt("write", lambda: open(name, "w"))
      attempt("remove", lambda: os.unlink(".npmrc"))
      attempt("move", lambda: os.rename(".npmrc", "z"))
      attempt("replace", lambda: os.rename("new", ".npmrc"))
      attempt("exchange", lambda: exchange(b"new", b".npmrc"))
      attempt("link", lambda: os.link(".npmrc", "z"))
      attempt("mode", lambda: os.chmod(".npmrc", 0o777))
      attempt("time", lambda: os.utime("y/.git", (1, 1)))
      attempt("folder", lambda: os.rmdir("y/.git"))
      attempt("unmount", lambda: libc.umount2(b".npmrc", 2))
      """
    let run = try await ground.insideItself(["--native", "target"], "python3", "-I", "-c", code)
    #expect(
      run.output == """
        read npm
        read rc
        read h
        write EROFS
        write EROFS
        write EROFS
        write EROFS
        write EROFS
        remove EBUSY
        move EBUSY
        replace EBUSY
        exchange EBUSY
        link EXDEV
        mode EROFS
        time EROFS
        folder EBUSY
        unmount -1

        """, "\(run.messages)")
    #expect(!run.messages.contains("in \(ground.file("target"))"), "\(run.messages)")
    #expect(try ground.text("target/x/.npmrc") == "npm\n")
  }

  @Test(
    "If a folder with a protected name is moved away and another one takes its place, it is listed at the end",
    arguments: [
      "mv x gone; mkdir x; echo evil > x/.npmrc", "mkdir z; echo evil > z/.npmrc; mv x y; mv z x",
      "mkdir z; echo evil > z/.npmrc; python3 -c 'import ctypes; ctypes.CDLL(None).renameat2(-100, b\"x\", -100, b\"z\", 2)'",
      "mkdir z; mv x z/; cp -r z/x .; echo evil > x/.npmrc",
    ])
  func movedParent(_ line: String) async throws {
    let ground = try await ground("mkdir target/x; echo npm > target/x/.npmrc")
    let run = try await run(ground, "cd target; \(line); cat x/.npmrc")
    #expect(run.output == "evil\n", "\(run.messages)")
    #expect(
      run.messages.contains("  \(ground.file("target/x/.npmrc")) is a protected name\n"), "\(run.messages)")
  }

  @Test("A protected name that is replaced outside meanwhile is listed at the end")
  func replacedOutside() async throws {
    let ground = try await ground("mkdir target/x; echo npm > target/x/.npmrc")
    let running = try start(
      ground, "echo started; until [ -e target/go ]; do sleep 0.01; done; echo evil >> target/x/.npmrc; true")
    try await running.printed("started")
    _ = try await ground.outside(
      "sh", "-c", "cd target; echo other > x/new; mv x/new x/.npmrc; touch go")
    #expect(try await running.end() == 0)
    #expect(
      running.messages.contains("  \(ground.file("target/x/.npmrc")) is a protected name\n"),
      "\(running.messages)")
  }

  // MARK: Attacks from inside

  @Test("Its names cannot be moved or linked across its border, nor a folder above it")
  func border() async throws {
    let ground = try await ground("mkdir -p sub/target; echo x > beside; mkdir empty")
    try await ground.decide("allow", "files:write@\(ground.work)/")
    let code = """
      import ctypes, errno, os
      libc = ctypes.CDLL(None, use_errno=True)
      def attempt(name, body):
          try: body(); print(name, "succeeded")
          except OSError as error: print(name, errno.errorcode[error.errno])
      def exchange():
          if libc.renameat2(-100, b"sub", -100, b"empty", 2): raise OSError(ctypes.get_errno(), "")
      open("sub/target/file", "w").write("x")
      attempt("link in", lambda: os.link("beside", "sub/target/beside"))
      attempt("link out", lambda: os.link("sub/target/file", "second"))
      attempt("move in", lambda: os.rename("beside", "sub/target/beside"))
      attempt("move out", lambda: os.rename("sub/target/file", "file"))
      attempt("move itself", lambda: os.rename("sub/target", "other"))
      attempt("move above", lambda: os.rename("sub", "other"))
      attempt("exchange above", exchange)
      attempt("remove", lambda: os.rmdir("sub/target"))
      attempt("device", lambda: os.mknod("sub/target/null", 0o20666, os.makedev(1, 3)))
      """
    let run = try await ground.insideItself(["--native", "sub/target"], "python3", "-I", "-c", code)
    #expect(
      run.output == """
        link in EXDEV
        link out EXDEV
        move in EXDEV
        move out EXDEV
        move itself EBUSY
        move above EBUSY
        exchange above EBUSY
        remove EBUSY
        device EPERM

        """, "\(run.messages)")
  }

  @Test("A link in it leads through the walls, and so does the way up")
  func linksInside() async throws {
    let ground = try await ground("echo SECRET > secret")
    try await ground.decide("deny", "files:read@\(ground.file("secret"))")
    let run = try await run(
      ground,
      "ln -s ../secret target/link; cat target/link target/../secret /proc/self/cwd/target/../secret; echo end"
    )
    #expect(run.output == "end\n", "\(run.messages)")
  }

  @Test("A program in it gains no rights of its owner, and the sockets of this machine are still asked about")
  func setUserAndSockets() async throws {
    let ground = try await ground()
    let host = try HostSockets()
    let run = try await run(
      ground,
      "cp /usr/bin/id target/id; chmod 6755 target/id; target/id -u; grep target /proc/self/mountinfo | grep -c nosuid,nodev"
    )
    #expect(run.output == "\(ground.user.number)\n1\n", "\(run.messages)")
    #expect(run.messages.contains("target/id is set-uid or set-gid"), "\(run.messages)")
    let running = try start(
      ground, "python3 -I -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"\(host.path)\")'")
    try await running.asked("files:write@\(host.path)")
    #expect(host.connections == 0)
  }

  @Test(
    "A socket that the run has bound in it is the run's own; one of the machine's in its place is asked about"
  )
  func ownSockets() async throws {
    let ground = try await ground()
    let code = """
      import os, socket
      own = socket.socket(socket.AF_UNIX); own.bind("target/s"); own.listen()
      def attempt(path):
          end = socket.socket(socket.AF_UNIX); end.connect(path); end.send(b"x"); print(own.accept()[0].recv(9), flush=True)
      attempt("target/s"); os.rename("target/s", "target/t"); attempt("target/t")
      print("ready", flush=True)
      while not os.path.exists("target/host"): pass
      os.rename("target/t", "target/u"); os.rename("target/host", "target/s")
      socket.socket(socket.AF_UNIX).connect("target/s")
      """
    let running = try ground.start([
      ground.user.program("permtui-run"), "--alone", "--fuse", ground.user.fuse, "--store", ground.store,
      "--native", "target", "--", "python3", "-I", "-c", code,
    ])
    try await running.printed("ready")
    #expect(running.output == "b'x'\nb'x'\nready\n", "\(running.messages)")
    #expect(!running.messages.contains("asks"), "\(running.messages)")
    let host = try HostSockets(alsoAt: ground.file("target/host"))
    try await running.asked("files:write@\(ground.file("target/s"))")
    #expect(host.connections == 0)
  }

  // MARK: The end

  @Test(
    "When it is denied, in part or as a whole, or a panic begins, the run ends at once",
    arguments: [true, false])
  func ends(isPanic: Bool) async throws {
    let ground = try await ground()
    let running = try start(
      ground, "trap '' TERM; echo started; while :; do echo x >> target/log; sleep 0.01; done")
    try await running.printed("started")
    if isPanic {
      try await ground.panic()
    } else {
      try await ground.decide("deny", "files:write@\(ground.file("target/a/b"))")
    }
    #expect(try await running.end() == 137)
    #expect(
      running.messages.contains(
        "\(ground.file("target")) cannot be taken back from the program, so everything inside ends"),
      "\(running.messages)")
  }

  @Test(
    "At the end it is said what counts beyond the folder since the start, and what was there before is not")
  func listed() async throws {
    let ground = try await ground("ln -s /etc target/old; cp /bin/true target/true; chmod u+s target/true")
    let run = try await run(
      ground,
      """
      cd target; mkdir -p p/.git q; echo x > .envrc; mkfifo q/pipe; ln -s ../../out q/out; ln -s .. q/in; ln -s /etc/passwd abs
      cp /bin/true q/suid; chmod 4755 q/suid; ln file q/second
      python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("q/s")'
      exit 5
      """)
    #expect(run.ending == .exited(5))
    let target = ground.file("target")
    let list = """
      permtui-run: in \(target), which the program used as it is outside:
      permtui-run:   \(target)/.envrc is a protected name
      permtui-run:   \(target)/abs is a link that leads out of the folder, or to nothing
      permtui-run:   \(target)/p/.git is a protected name
      permtui-run:   \(target)/q/out is a link that leads out of the folder, or to nothing
      permtui-run:   \(target)/q/pipe is a named pipe
      permtui-run:   \(target)/q/s is a socket
      permtui-run:   \(target)/q/suid is set-uid or set-gid

      """
    #expect(run.messages.hasSuffix(list), "\(run.messages)")
  }

  @Test("However much a program makes in it, and however deep, the end is told in few lines")
  func flood() async throws {
    let ground = try await ground()
    let code = """
      import os
      os.chdir("target")
      for n in range(3000): os.symlink("/nowhere", f"l{n}")
      for n in range(400): os.mkdir("d" * 200); os.chdir("d" * 200)
      """
    let run = try await ground.insideItself(["--native", "target"], "python3", "-I", "-c", code)
    #expect(run.ending == .exited(0), "\(run.messages)")
    #expect(run.messages.split(separator: "\n").count == 23, "\(run.messages.prefix(2000))")
    #expect(run.messages.hasSuffix("more\n"))
    let again = try await self.run(ground, "true")
    #expect(again.ending == .exited(125))
    #expect(
      again.messages.contains("lies so deep that it was not looked at"), "\(again.messages.suffix(300))")
    _ = try await ground.outside("rm", "-rf", "target")
  }
}
