import Foundation
import Machine
import PermModel
import TerminalTesting
import Testing

@testable import PermBroker

@Suite("Which program asks, with real processes")
struct RealProcessTests {
  private let folder: TemporaryFolder
  private let client: WaitingClient
  private let finder: ProgramFinder

  init() throws {
    folder = try TemporaryFolder()
    client = try WaitingClient(in: folder)
    finder = ProgramFinder(processes: LinuxProcessTable(client: client.program))
  }

  /// Runs a command line, and returns the program seen while its client waited, with the number of the started process.
  private func seen(_ arguments: [String], from place: String? = nil) throws -> (
    program: IdentifiedProgram, started: Int32
  ) {
    try running(arguments, in: place ?? folder.path) { process in
      defer { client.letGo() }
      let program = try #require(finder.program(behind: client.processNumber()))
      // The chain can also be looked up later, and is the same.
      #expect(finder.chain(of: program.evidence.process) == program.evidence.chain)
      return (program, process)
    }
  }

  @Test(
    "A script is known by its file, its interpreter and its process",
    arguments: ["/bin/bash", "/bin/dash", "/bin/sh"])
  func shellScript(_ shell: String) throws {
    let script = try folder.write("#!\(shell)\n\(client.command)\n:\n", to: "backup.sh", mode: 0o755)
    let (program, started) = try seen([script])
    #expect(program.file?.path == script)
    #expect(program.file?.identity.inode == inode(of: script))
    #expect(
      program.evidence.interpreter == URL(fileURLWithPath: shell).resolvingSymlinksInPath().lastPathComponent)
    #expect(program.evidence.process.pid == started)
    #expect(program.evidence.chain.last == "backup.sh")
    #expect(program.evidence.workingDirectory == folder.path)
    #expect(!program.evidence.isSandboxed)
  }

  @Test(
    "A subshell and a pipe count as the script",
    arguments: ["word=$(COMMAND; true)", "true | (COMMAND; true) | true", "{ COMMAND; true; } & wait"])
  func subshell(_ line: String) throws {
    let text = "#!/bin/bash\n" + line.replacingOccurrences(of: "COMMAND", with: client.command) + "\n"
    let script = try folder.write(text, to: "backup.sh", mode: 0o755)
    let (program, started) = try seen([script])
    #expect(program.file?.path == script)
    #expect(program.evidence.process.pid == started)
  }

  @Test("A shell script keeps its name when it goes elsewhere", arguments: ["bash", "dash"])
  func changedFolder(_ shell: String) throws {
    let script = try folder.write("cd /\n\(client.command)\n:\n", to: "backup.sh")
    #expect(try seen([shell, "backup.sh"]).program.file?.path == script)
  }

  @Test("A child that asks from another folder asks for the folder of the program")
  func childElsewhere() throws {
    let line = "(cd / && exec \(client.command)); :"
    let script = try folder.write("#!/bin/bash\n\(line)\n", to: "agent.sh", mode: 0o755)
    try running([script], in: folder.path) { _ in
      defer { client.letGo() }
      let seen = try #require(finder.program(behind: client.processNumber()))
      #expect(seen.file?.path == script)
      #expect(ProgramFolder(of: seen.evidence.process)?.path == folder.path)
      #expect(ProgramFolder(of: seen.peer)?.path == "/")
    }
  }

  @Test(
    "The line that connect writes keeps its shell, which shows the functions that it leaves out",
    .needs("dash"), arguments: ["dash", "bash", "/bin/sh"])
  func keptShell(_ shell: String) throws {
    for (line, isKept) in [(client.command, false), ("\(client.command); exit $?", true)] {
      let text = "#!/bin/bash\nls() { echo hijacked; }\nexport -f ls\n\(shell) -c \"$1\"\n:\n"
      let script = try folder.write(text, to: "agent.sh", mode: 0o755)
      try running([script, line], in: folder.path) { agent in
        defer { client.letGo() }
        let peer = try client.processNumber()
        let environments = try #require(Environment.variables(from: peer, to: agent))
        let showsFunction = environments.contains { $0.keys.contains { $0.hasPrefix("BASH_FUNC_ls") } }
        // Some shells replace themselves by the last command.
        #expect(environments.count == 3 || !isKept)
        #expect(showsFunction || !isKept)
        if shell == "dash" { #expect(environments[0].keys.allSatisfy { !$0.hasPrefix("BASH_FUNC_") }) }
        let variables = FormVariables(environments: environments, isAgent: true)
        #expect(try !variables.areHarmless(for: #require(CommandForm(of: "ls"))))
      }
    }
  }

  @Test("A symbolic link is the file that it leads to")
  func symbolicLink() throws {
    let script = try folder.write("#!/bin/bash\n\(client.command)\n:\n", to: "backup.sh", mode: 0o755)
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: script)
    #expect(try seen([folder.file("link")]).program.file?.identity.inode == inode(of: script))
  }

  @Test(
    "A Python script is known, also behind a shell and after it went elsewhere",
    .needs("python3"))
  func python() throws {
    let arguments = "['\(client.program)', '\(client.script)']"
    let bodies = [
      "import subprocess; subprocess.run(\(arguments))",
      "import subprocess; subprocess.run('\(client.command); true', shell=True)",
      "import os; os.system('\(client.command)')",
    ]
    for body in bodies {
      let script = try folder.write("\(body)\n", to: "job.py")
      let (program, _) = try seen(["env", "PWD=\(folder.path)", "python3", "job.py"])
      #expect(program.file?.path == script)
      #expect(program.evidence.interpreter?.hasPrefix("python3") == true)
    }
    let script = try folder.write("import os; os.chdir('/'); \(bodies[0])\n", to: "job.py")
    #expect(try seen(["python3", script]).program.file?.path == script)
  }

  @Test("A Node script is known", .needs("node"))
  func node() throws {
    let script = try folder.write(
      "require('child_process').execSync('\(client.command)')\n", to: "job.js")
    let (program, started) = try seen(["node", script])
    #expect(program.file?.path == script)
    #expect(program.evidence.interpreter == "node")
    #expect(program.evidence.process.pid == started)
  }

  @Test("make is known by its Makefile, wherever it is called from", .needs("make"))
  func make() throws {
    let makefile = try folder.write("all:\n\t@\(client.command); true\n", to: "Makefile")
    #expect(try seen(["make"]).program.file?.path == makefile)
    #expect(try seen(["make", "-C", folder.path], from: "/").program.file?.path == makefile)
    #expect(try seen(["make", "-f", makefile], from: "/").program.file?.path == makefile)
  }

  @Test("A launcher is not the program")
  func launcher() throws {
    let script = try folder.write(
      "#!/bin/bash\ntimeout 60 \(client.command)\n:\n", to: "backup.sh", mode: 0o755)
    #expect(try seen([script]).program.file?.path == script)
  }

  @Test("setsid -f leaves nobody who could be known")
  func detached() throws {
    let script = try folder.write("#!/bin/bash\nsetsid -f \(client.command)\n", to: "backup.sh", mode: 0o755)
    waitForEnd(of: try start([script]))
    let program = try #require(finder.program(behind: client.processNumber()))
    client.letGo()
    // If orphans go to a process other than the first, that one is seen instead; never the script.
    #expect(program.file?.path != script)
  }

  @Test("A binary that was replaced while it runs is doubted, and not taken for the new one")
  func replacedBinary() throws {
    let binary = folder.file("tool")
    try copyProgram("/bin/dash", to: binary)
    let old = try #require(inode(of: binary))
    try running([binary, "-c", client.command + "; true"], in: folder.path) { process in
      defer { client.letGo() }
      _ = try client.processNumber()
      try copyProgram("/bin/dash", to: binary + ".new")
      try FileManager.default.removeItem(atPath: binary)
      try FileManager.default.moveItem(atPath: binary + ".new", toPath: binary)
      let program = try #require(finder.program(behind: process))
      #expect(inode(of: binary) != old)
      #expect(program.file == nil)
      #expect(program.evidence.program == binary)
      #expect(program.evidence.doubt == "its file was deleted or replaced while it runs")
    }
  }

  @Test("A binary that was deleted is doubted; one whose name says so is not")
  func deletedBinary() throws {
    let binary = folder.file("tool (deleted)")
    try copyProgram("/bin/dash", to: binary)
    try running([binary, "-c", client.command + "; true"], in: folder.path) { process in
      defer { client.letGo() }
      _ = try client.processNumber()
      let before = try #require(finder.program(behind: process))
      #expect(before.file?.path == binary)
      #expect(before.evidence.doubt == nil)
      // Its other name continues to exist.
      try FileManager.default.linkItem(atPath: binary, toPath: folder.file("other"))
      try FileManager.default.removeItem(atPath: binary)
      let after = try #require(finder.program(behind: process))
      #expect(after.file == nil)
      #expect(after.evidence.program == binary)
      #expect(after.evidence.doubt == "its file was deleted or replaced while it runs")
    }
  }

  @Test("A program that runs from memory has no file", .needs("python3"))
  func memoryFile() throws {
    let code = """
      import os
      fd = os.memfd_create("tool", 0)
      os.write(fd, open("/bin/dash", "rb").read())
      os.execv("/proc/self/fd/%d" % fd, ["tool", "-c", "\(client.command); true"])
      """
    let (program, _) = try seen(["python3", "-c", code])
    #expect(program.file == nil)
    #expect(program.evidence.program == "/memfd:tool")
    #expect(program.evidence.doubt?.contains("in memory only, and in no file") == true)
  }

  @Test("A process that executes another file is another program from then on")
  func executes() throws {
    let script = try folder.write(
      "#!/bin/bash\n\(client.command)\nexec \(client.command)\n", to: "backup.sh", mode: 0o755)
    try running([script], in: folder.path) { process in
      let before = try #require(finder.program(behind: client.processNumber()))
      #expect(before.evidence.process.pid == process)
      client.letGo()
      let after = try #require(finder.program(behind: client.processNumber()))
      client.letGo()
      #expect(after.peer.pid == process)
      #expect(!after.isSame(as: before))
    }
  }

  @Test(
    "A process in another mount namespace is marked",
    .enabled(if: canUnshare, "mount namespaces are not permitted here"))
  func sandboxed() throws {
    let script = try folder.write("#!/bin/bash\n\(client.command)\n:\n", to: "backup.sh", mode: 0o755)
    let (program, _) = try seen(["unshare", "--mount", "--map-root-user", script])
    #expect(program.evidence.isSandboxed)
    #expect(program.file?.path == script)
    #expect(program.subject(label: "backup").sandbox?.namespace == program.sandbox?.namespace)
    let other = try seen(["unshare", "--mount", "--map-root-user", script]).program
    #expect(other.file == program.file)
    #expect(other.subject(label: "backup") != program.subject(label: "backup"))
  }

  // MARK: Doubts

  private func doubt(_ arguments: [String], from place: String? = nil) throws -> String {
    let program = try seen(arguments, from: place).program
    #expect(program.file == nil)
    let subject = program.subject(label: "backup")
    #expect(!subject.isUnbound)
    #expect(subject.fileless?.process == program.evidence.process)
    return program.evidence.doubt ?? ""
  }

  @Test("Code from a command line is in no file", arguments: ["python3", "perl", "node"])
  func code(_ interpreter: String) throws {
    guard Installed.has(interpreter) else { return }
    let code = [
      "python3": ["-c", "import os; os.system('\(client.command); true')"],
      "perl": ["-we", "system('\(client.command); true')"],
      "node": ["-e", "require('child_process').execSync('\(client.command)')"],
    ]
    #expect(try doubt([interpreter] + (code[interpreter] ?? [])).contains("code from its command line"))
  }

  @Test("A script that is piped into a shell, or a heredoc, is in no file")
  func piped() throws {
    let text = try folder.write("\(client.command)\n:\n", to: "text")
    let script = try folder.write("#!/bin/bash\ncat \(text) | bash\n:\n", to: "job.sh", mode: 0o755)
    #expect(try doubt([script]).contains("reads from its input"))
    let heredoc = try folder.write(
      "#!/bin/bash\nbash -s <<END\n\(client.command)\n:\nEND\n:\n", to: "here.sh", mode: 0o755)
    #expect(try doubt([heredoc]).contains("reads from its input"))
    #expect(try doubt(["bash", "-c", "bash <(cat \(text)); :"]).contains("cannot be found"))
  }

  @Test("A Python module is not known by a file", .needs("python3"))
  func module() throws {
    _ = try folder.write("import os; os.system('\(client.command); true')\n", to: "job.py")
    #expect(try doubt(["python3", "-m", "job"]).contains("module"))
  }

  @Test("Commands from the arguments of find, awk and make are in no file")
  func givenText() throws {
    #expect(
      try doubt(["find", folder.file("told"), "-exec", client.program, client.script, ";"]).contains("find"))
    #expect(try doubt(["awk", "BEGIN { system(\"\(client.command); true\") }"]).contains("awk"))
    guard Installed.has("make") else { return }
    #expect(try doubt(["make", "--eval=all: ; \(client.command); true", "all"]).contains("command line"))
    let makefile = try folder.write("all:\n\t@\(client.command); true\n", to: "x.mk")
    #expect(try seen(["make", "-sf", "x.mk"]).program.file?.path == makefile)
    #expect(try doubt(["bash", "-c", "make -f - <\(makefile); :"]).contains("input"))
  }

  @Test(
    "Two files of one name, where it was started and where it is, are a doubt",
    .needs("python3"))
  func relativeName() throws {
    for name in ["a", "b"] { mkdir(folder.file(name), 0o700) }
    try folder.write("import os; os.chdir('../b'); os.system('\(client.command); true')\n", to: "a/main.py")
    try folder.write("", to: "b/main.py")
    let start = ["env", "PWD=\(folder.file("a"))", "python3", "main.py"]
    #expect(try doubt(start, from: folder.file("a")).contains("a/main.py or \(folder.file("b"))/main.py"))
  }

  @Test(
    "A relative name is in doubt unless the process says that it was started in the folder in which it is",
    .needs("python3"))
  func relativeStart() throws {
    for name in ["a", "b"] { mkdir(folder.file(name), 0o700) }
    let (start, other) = (folder.file("a"), folder.file("b"))
    let run = "import os; os.system('\(client.command); true')\n"
    // The first `python3` on the PATH can be a shell script. Its shell would set PWD.
    let python = "/usr/bin/python3"
    try folder.write("import os; os.chdir('../b'); \(run)", to: "a/main.py")
    try folder.write("", to: "b/main.py")
    for environment in [["-u", "PWD"], ["PWD=\(start)"], ["PWD=b"], ["PWD=/nowhere"]] {
      #expect(try !doubt(["env"] + environment + [python, "main.py"], from: start).isEmpty, "\(environment)")
    }
    try folder.write(run, to: "a/main.py")
    for environment in [["-u", "PWD"], ["PWD=\(other)"], ["PWD=/nowhere"], ["-i"]] {
      #expect(try !doubt(["env"] + environment + [python, "main.py"], from: start).isEmpty, "\(environment)")
    }
    try folder.write("", to: "a/link")
    symlink(start, folder.file("same"))
    let certain = try seen(["env", "PWD=\(folder.file("same"))", python, "main.py"], from: start)
    #expect(certain.program.file?.path == "\(start)/main.py")
  }

  @Test(
    "A file that was put there after the process had started is a doubt",
    .needs("python3"))
  func younger() throws {
    let script = try folder.write("import os; os.system('\(client.command); true')\n", to: "job.py")
    try running(["python3", script], in: folder.path) { _ in
      let first = try client.processNumber()
      defer { client.letGo() }
      #expect(finder.program(behind: first)?.evidence.doubt == nil)
      // The process seems to have started long before its file was created.
      let table = LinuxProcessTable(client: client.program)
      let program = try #require(finder.program(behind: first))
      var process = try #require(table.process(program.evidence.process.pid))
      process.identity.startTime = 1
      #expect(table.script(named: script, givenTo: process)?.doubt?.contains("after process") == true)
    }
  }

  @Test("A file that a shell script opens under a high number is not its script")
  func openedScript() throws {
    for name in ["allowed", "evil"] { mkdir(folder.file(name), 0o700) }
    try folder.write(":\n", to: "allowed/backup.sh")
    let evil = try folder.write(
      "#!/bin/bash\nexec 10<\(folder.file("allowed"))/backup.sh\n\(client.command)\n:\n",
      to: "evil/backup.sh",
      mode: 0o755)
    #expect(try seen([evil]).program.file?.path == evil)
    #expect(try seen(["bash", "backup.sh"], from: folder.file("evil")).program.file?.path == evil)
  }

  @Test("A shell whose script was replaced under it is a doubt")
  func replacedScript() throws {
    let script = try folder.write("#!/bin/bash\n\(client.command)\n:\n", to: "backup.sh", mode: 0o755)
    try running([script], in: folder.path) { _ in
      let process = try client.processNumber()
      defer { client.letGo() }
      #expect(finder.program(behind: process)?.file?.path == script)
      try FileManager.default.moveItem(atPath: folder.write(":\n", to: "new"), toPath: script + "~")
      #expect(rename(script + "~", script) == 0)
      #expect(finder.program(behind: process)?.evidence.doubt?.contains("another file open") == true)
    }
  }

  @Test(
    "A program that bears a launcher's or permtui's name is a program like any other",
    arguments: ["timeout", "xargs", "permtui"])
  func borrowedName(_ name: String) throws {
    mkdir(folder.file("own"), 0o700)
    let program = folder.file("own/\(name)")
    try copyProgram("/bin/dash", to: program)
    let text = try folder.write("\(client.command)\n:\n", to: "text.sh")
    let outer = try folder.write("#!/bin/bash\n\(program) \(text)\n:\n", to: "backup.sh", mode: 0o755)
    #expect(try seen([outer]).program.file?.path == program)
  }

  @Test("Launchers of the system are passed over, one behind the other")
  func launchers() throws {
    let script = try folder.write(
      "#!/bin/bash\nnice timeout 60 setsid -w nohup \(client.command)\n:\n", to: "backup.sh", mode: 0o755)
    let (program, started) = try seen([script])
    #expect(program.file?.path == script)
    #expect(program.evidence.process.pid == started)
  }

  @Test(
    "In a sandbox with processes of its own, an orphan is nobody's",
    .enabled(if: canSandbox, "a sandbox is not permitted here"))
  func orphanInSandbox() throws {
    // The orphan's parent has ended before the orphan becomes the client.
    let go = folder.file("go")
    mkfifo(go, 0o600)
    let orphan = "setsid -f sh -c 'read word <\(go); exec \(client.command)'; echo >\(go); sleep 1000"
    let command = [
      "bwrap", "--bind", "/", "/", "--dev", "/dev", "--unshare-pid", "--die-with-parent", "sh", "-c", orphan,
    ]
    func look() throws -> IdentifiedProgram {
      let sandbox = try start(command, in: folder.path)
      // The client ends with its sandbox. A word to let it go could reach the next client instead.
      defer {
        kill(sandbox, SIGKILL)
        waitForEnd(of: sandbox)
      }
      return try #require(finder.program(behind: client.processNumber()))
    }
    let one = try look()
    #expect(one.file == nil)
    #expect(one.evidence.isSandboxed)
    #expect(one.evidence.doubt?.contains("gone or outside its sandbox") == true)
    #expect(try look().sandbox != one.sandbox)
  }

  @Test("A process that is gone is nobody")
  func gone() throws {
    let process = try start(["/bin/true"])
    waitForEnd(of: process)
    #expect(finder.program(behind: process) == nil)
  }
}

private func inode(of path: String) -> UInt64? { FileStatus(path)?.inode }

private let canUnshare =
  (try? waitForEnd(of: start(["unshare", "--mount", "--map-root-user", "true"]))) == 0

private let canSandbox =
  (try? waitForEnd(of: start(["bwrap", "--bind", "/", "/", "--unshare-pid", "true"]))) == 0
