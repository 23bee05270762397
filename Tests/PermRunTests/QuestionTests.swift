import Foundation
import TerminalTesting
import Testing
import Waiting

@Suite("Questions at the moment of use", .needsWalls, .timeLimit(.minutes(5)))
struct QuestionTests {
  @Test("A program waits for an answer, and goes on with a yes")
  func allowed() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("contents", to: "file")
    let running = try ground.startInside(shell: "cat file")
    try await running.asked("files:read@\(ground.file("file"))")
    #expect(running.output == "")
    try await ground.decide("allow", "files:read@\(ground.file("file"))")
    #expect(try await running.end() == 0)
    #expect(running.output == "contents")
  }

  @Test("A no is an error of the file, and holds until the end")
  func denied() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("contents", to: "file")
    let running = try ground.startInside(
      shell: "cat file; cat file; until [ -e go ]; do sleep 0.005; done; cat file; echo end")
    try await running.asked("files:read@\(ground.file("file"))")
    try await ground.decide("deny", "files:read@\(ground.file("file"))")
    try await until { running.messages.components(separatedBy: "Permission denied").count == 3 }
    try await ground.decide("forget", "files:read@\(ground.file("file"))")
    _ = try await ground.outside("touch", "go")
    #expect(try await running.end() == 0)
    #expect(running.output == "end\n")
    #expect(running.messages.components(separatedBy: "asks").count == 2)
  }

  @Test("Only the thread that asks stands still")
  func onlyOneThread() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("contents", to: "file")
    let running = try ground.startInside(
      shell: "cat file & stat file > /dev/null && ls -d / && echo others go on")
    try await running.printed("others go on")
    try await running.asked("files:read@\(ground.file("file"))")
    #expect(!running.output.contains("contents"))
  }

  @Test("Programs that ask for the same are answered with the same yes")
  func joined() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("x", to: "file")
    let running = try ground.startInside(shell: "for n in 1 2 3 4 5; do cat file & done; wait; echo end")
    try await running.asked("files:read@\(ground.file("file"))")
    try await ground.decide("allow", "files:read@\(ground.file("file"))")
    #expect(try await running.end() == 0)
    #expect(running.output.contains("end\n"))
    #expect(running.output.filter { $0 == "x" }.count == 5)
  }

  @Test("A signal ends the wait, and the question is withdrawn")
  func interrupted() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("x", to: "file")
    let code = """
      import signal
      def stop(*_): raise KeyboardInterrupt
      signal.signal(signal.SIGUSR1, stop)
      open("/tmp/ready", "w")
      while True:
          try: print(open("file").read())
          except KeyboardInterrupt: print("interrupted", flush=True)
      """
    let line = """
      python3 -I -c '\(code)' & child=$!; until [ -e /tmp/ready ]; do sleep 0.01; done
      while :; do sleep 0.1; kill -USR1 $child; done
      """
    let running = try ground.startInside(shell: line)
    try await running.printed("interrupted\ninterrupted")
    try await until {
      running.messages.components(separatedBy: "asks files:read@\(ground.file("file"))").count > 2
    }
  }

  @Test("A program that waits can be killed")
  func killed() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("x", to: "file")
    let running = try ground.startInside(shell: "timeout -s KILL 0.2 cat file; echo $?")
    #expect(try await running.end() == 0)
    #expect(running.output == "137\n")
  }

  @Test("A file that is moved while the person thinks is not read because of an answer about its old name")
  func moved() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("contents", to: "file")
    let running = try ground.startInside(shell: "cat file; echo $?")
    try await running.asked("files:read@\(ground.file("file"))")
    _ = try await ground.outside("mv", "file", "moved")
    try await ground.decide("allow", "files:read@\(ground.file("file"))")
    #expect(try await running.end() == 0)
    #expect(running.output == "1\n")
    #expect(running.messages.contains("No such file"))
  }

  @Test("If another file has the name by the time of the answer, that one is read")
  func replaced() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("old", to: "file")
    let running = try ground.startInside(shell: "cat file")
    try await running.asked("files:read@\(ground.file("file"))")
    _ = try await ground.outside("sh", "-c", "mv file moved; echo new > file")
    try await ground.decide("allow", "files:read@\(ground.file("file"))")
    #expect(try await running.end() == 0)
    #expect(running.output == "new\n")
  }

  @Test("A file that is made waits, and its folder with it")
  func creation() async throws {
    let ground = try await Ground(isAllowed: false)
    let running = try ground.startInside(shell: "echo text > new; echo $?")
    try await running.asked("files:write@\(ground.file("new"))")
    #expect(!FileManager.default.fileExists(atPath: ground.file("new")))
    try await ground.decide("allow", "files:write@\(ground.file("new"))")
    #expect(try await running.end() == 0)
    #expect(try ground.text("new") == "text\n")
  }

  @Test("A rename needs both names, and a link, too")
  func twoNames() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("x", to: "file")
    try await ground.decide("allow", "files:write@\(ground.file("file"))")
    for command in ["mv", "ln"] {
      let running = try ground.startInside(shell: "\(command) file new-\(command)")
      try await running.asked("files:write@\(ground.file("new-\(command)"))")
      #expect(!FileManager.default.fileExists(atPath: ground.file("new-\(command)")))
    }
  }

  @Test("A moved folder takes everything in it along, so it is asked about as a whole")
  func movedFolder() async throws {
    let ground = try await Ground(isAllowed: false)
    _ = try await ground.outside("mkdir", "folder")
    try await ground.decide("allow", "files:write@\(ground.file("folder"))")
    try await ground.decide("allow", "files:write@\(ground.file("new"))")
    let running = try ground.startInside(shell: "mv folder new")
    try await running.asked("files:write@\(ground.file("folder"))/")
  }

  @Test(
    "Protected names are asked about although the folder may be written",
    arguments: [
      "echo x > .git/hooks/pre-commit": ".git/hooks/pre-commit", "echo x >> .git/config": ".git/config",
      "echo x > .git/info/attributes": ".git/info/attributes", "echo x > .git/HEAD": ".git/HEAD",
      "mkdir .git/modules": ".git/modules",
      "echo x > .git/objects/info/alternates": ".git/objects/info/alternates",
      "echo x > .git/commondir": ".git/commondir", "echo x > sub/.bashrc": "sub/.bashrc",
      "mkdir .claude": ".claude",
      "mkdir a; mv a .git2; mv .git2 sub/.git": "sub/.git/", "ln plain sub/.envrc": "sub/.envrc",
      "ln -s plain .git/hooks/post-commit": ".git/hooks/post-commit", "mv plain .mcp.json": ".mcp.json",
      "mv .git other": ".git/", "rm .git/hooks/old": ".git/hooks/old",
      "chmod +x .git/hooks/old": ".git/hooks/old",
    ])
  func protectedNames(line: String, name: String) async throws {
    let ground = try await Ground()
    _ = try await ground.outside(
      "sh", "-c",
      "mkdir -p sub .git/hooks .git/info .git/objects/info; touch plain .git/config .git/HEAD .git/hooks/old")
    let running = try ground.startInside(shell: line)
    try await running.asked("files:write@\(ground.file(name))")
  }

  @Test("A protected name that is allowed by itself is written")
  func allowedByItself() async throws {
    let ground = try await Ground()
    _ = try await ground.outside("git", "init", "-q")
    try await ground.decide("allow", "files:write@\(ground.file(".git/config"))")
    #expect(try await ground.inside("git", "config", "user.name", "x").ending == .exited(0))
    #expect(try ground.text(".git/config").contains("name = x"))
  }
}

@Suite("Taking back", .needsWalls, .timeLimit(.minutes(5)))
struct TakingBackTests {
  @Test(
    "An open file can no longer be read, and a mapped one ends the program", arguments: ["deny", "forget"])
  func openFiles(verb: String) async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write(String(repeating: "x", count: 100), to: "file")
    let scope = "files:write@\(ground.file("file"))"
    try await ground.decide("allow", scope)
    let code = """
      import mmap, os, signal, sys
      file = open("file", "r+b", buffering=0)
      map = mmap.mmap(file.fileno(), 100)
      print("open", map[0], flush=True)
      while True:
          try: os.pwrite(file.fileno(), b"y", 0)
          except PermissionError: break
      try: file.read()
      except PermissionError: print("closed", flush=True)
      while True: map[0]
      """
    let running = try ground.startInside(shell: "python3 -I -c '\(code)'; echo $?")
    try await running.printed("open")
    try await ground.decide(verb, scope)
    #expect(try await running.end() == 0)
    #expect(running.output.contains("closed\n135\n"), "\(running.output) \(running.messages)")
    #expect(running.messages.contains("taken back from 1 open file"))
  }

  @Test("A file that may still be used stays open")
  func others() async throws {
    let ground = try await Ground()
    try ground.write("text", to: "file")
    try ground.write("other", to: "other")
    let running = try ground.startInside(
      shell: "exec 3< file 4< other; echo open; until [ -e go ]; do sleep 0.005; done; cat <&3; cat <&4")
    try await running.printed("open")
    try await ground.decide("deny", "files:read@\(ground.file("other"))")
    try await running.said("taken back")
    _ = try await ground.outside("touch", "go")
    _ = try await running.end()
    #expect(running.output == "open\ntext")
  }

  @Test("A panic suspends what is open, and at its end it can be used again")
  func panic() async throws {
    let ground = try await Ground()
    try ground.write("text", to: "file")
    let running = try ground.startInside(
      shell: """
        exec 3< file 4>> log; echo open; until [ -e go ]; do sleep 0.005; done; echo x >&4; cat <&3; until [ -e over ]; do sleep 0.005; done
        echo x >&4; cat <&3; echo y > new; echo $?
        """)
    try await running.printed("open")
    try await ground.panic()
    try await running.said("suspended 2 open files")
    #expect(try await ground.inside("cat", "file").output == "")
    _ = try await ground.outside("touch", "go")
    try await running.said("cat: -: Permission denied")
    try await ground.panic("--lift")
    try await running.said("gave back 2 open files")
    _ = try await ground.outside("touch", "over")
    #expect(try await running.end() == 0)
    #expect(running.output.hasPrefix("open\ntext") && running.output.hasSuffix("0\n"), "\(running.output)")
    #expect(try ground.text("log") == "x\n")
  }

  @Test("An allow that was forgotten during a panic is taken back at its end")
  func panicAndForgetting() async throws {
    let ground = try await Ground()
    let running = try ground.startInside(shell: "exec 4>> log; echo open; sleep 600")
    try await running.printed("open")
    try await ground.panic()
    try await running.said("suspended 1 open file;")
    try await ground.decide("forget", "files:write@\(ground.work)/")
    try await ground.panic("--lift")
    try await running.said("taken back from 1 open file;")
    running.send(SIGKILL)
    _ = try await running.end()
  }
}

@Suite("Allows beforehand", .needsWalls, .timeLimit(.minutes(5)))
struct BeforehandTests {
  @Test("An allow that was given to a name belongs to the first program that uses it")
  func binding() async throws {
    let ground = try await Ground(isAllowed: false)
    try ground.write("text", to: "file")
    try await ground.decide("allow", "files:read@\(ground.file("file"))")
    #expect(try await ground.insideItself([], "cat", "file").output == "text")
    #expect(try await ground.programs().contains("/cat\""))
    let running = try ground.startInside(shell: "cat file")
    try await running.asked("files:read@\(ground.file("file"))")
    #expect(running.output == "")
  }

  @Test("With --here, a program writes below the working folder, but for protected names and what was denied")
  func here() async throws {
    let ground = try await Ground(isAllowed: false)
    _ = try await ground.outside("sh", "-c", "git init -q; mkdir sub denied")
    try await ground.decide("deny", "files:write@\(ground.file("denied"))/")
    let run = try await ground.insideItself(
      ["--here"], "sh", "-c",
      "echo x > file && echo x > sub/file && echo x > .git/index; echo x > denied/file; echo end")
    #expect(run.output == "end\n", "\(run.messages)")
    #expect(try ground.text("sub/file") == "x\n")
    #expect(!FileManager.default.fileExists(atPath: ground.file("denied/file")))
    for (line, name) in [
      ("echo x >> .git/config", ".git/config"), ("echo x > .bashrc", ".bashrc"), ("ls ..", ""),
    ] {
      let running = try ground.startInside(options: ["--here"], shell: line)
      if name.isEmpty {
        try await running.said("asks files:read@")
      } else {
        try await running.asked("files:write@\(ground.file(name))")
      }
    }
  }
}
