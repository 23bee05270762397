import Foundation
import Machine
import Testing
import Waiting

@testable import PermModel

@Suite("Clocks, sessions and processes of this machine")
struct LinuxEnvironmentTests {
  @Test("A session's id is random, stays, and is a new one once the folder is gone")
  func session() throws {
    let folder = try TestFolder()
    let runtime = folder.path + "/runtime"
    let session = SessionFile(folder: runtime, fallback: "boot")
    let id = session.id()
    #expect(id.count == 32)
    #expect(session.id() == id)
    #expect(SessionFile(folder: runtime, fallback: "boot").id() == id)
    try FileManager.default.removeItem(atPath: runtime)
    let next = session.id()
    #expect(next.count == 32)
    #expect(next != id)
  }

  @Test("Without a private folder a session lasts as long as a boot")
  func noFolder() throws {
    let folder = try TestFolder()
    #expect(SessionFile(folder: nil, fallback: "boot").id() == "boot")
    #expect(SessionFile(folder: folder.path + "/not/there", fallback: "boot").id() == "boot")
    #expect(chmod(folder.path, 0o777) == 0)
    #expect(SessionFile(folder: folder.path, fallback: "boot").id() == "boot")
  }

  @Test("A session's file that is a link is not believed")
  func link() throws {
    let folder = try TestFolder()
    let target = folder.path + "/target"
    try String(repeating: "a", count: 32).write(toFile: target, atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/session", withDestinationPath: target)
    #expect(SessionFile(folder: folder.path, fallback: "boot").id() == "boot")
  }

  @Test("A process runs until it ends, and another start time is another process")
  func processes() throws {
    let this = ProcessIdentity.current
    #expect(ProcessIdentity.isRunning(this))
    #expect(!ProcessIdentity.isRunning(ProcessIdentity(pid: this.pid, startTime: this.startTime + 1)))
    let child = Process()
    child.executableURL = URL(filePath: "/bin/cat")
    child.standardInput = Pipe()
    try child.run()
    let pid = child.processIdentifier
    let identity = ProcessIdentity(pid: pid, startTime: try #require(ProcessStat(of: pid)?.startTime))
    #expect(ProcessIdentity.isRunning(identity))
    // Threads of a queue block signals, and a child inherits that; this one cannot be blocked.
    kill(pid, SIGKILL)
    child.waitUntilExit()
    #expect(!ProcessIdentity.isRunning(identity))
  }

  @Test("The end of a process is waited for in the kernel", .timeLimit(.minutes(5)))
  func processEnd() async throws {
    let environment = StoreEnvironment.linux(sessionFolder: nil)
    let child = Process()
    child.executableURL = URL(filePath: "/bin/cat")
    child.standardInput = Pipe()
    try child.run()
    let pid = child.processIdentifier
    let start = try #require(ProcessStat(of: pid)?.startTime)
    let lifetime = Lifetime.process(ProcessIdentity(pid: pid, startTime: start))
    let left = Task { await environment.untilEnd(lifetime) }
    left.cancel()
    #expect(await left.value == false)
    async let end = environment.untilEnd(lifetime)
    kill(pid, SIGKILL)
    #expect(await end)
    #expect(await environment.untilEnd(.process(ProcessIdentity(pid: getpid(), startTime: 1))))
    #expect(await environment.untilEnd(.forever) == false)
  }

  @Test("The end of a session is noticed when its file goes", .timeLimit(.minutes(5)))
  func sessionEnd() async throws {
    let folder = try TestFolder()
    let runtime = folder.path + "/runtime"
    let environment = StoreEnvironment.linux(sessionFolder: runtime)
    let lifetime = Lifetime.session(environment.now().session())
    let watches = try FolderWatches(on: runtime)
    let waiting = Task { await environment.untilEnd(lifetime) }
    try await until { watches.count > 0 }
    try FileManager.default.removeItem(atPath: runtime)
    #expect(await waiting.value)
    #expect(await environment.untilEnd(lifetime))
    #expect(await StoreEnvironment.linux(sessionFolder: nil).untilEnd(lifetime) == false)
  }

  @Test("A file stays itself when it is written to or linked to; another one in its place is another")
  func files() throws {
    let folder = try TestFolder()
    let path = folder.path + "/program"
    #expect(FileIdentity(ofFileAt: path) == nil)
    #expect(Files.makeAtOnce(path, text: "one"))
    let first = try #require(FileIdentity(ofFileAt: path))
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(FileIdentity(ofFileAt: link) == first)
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.write(contentsOf: Data("two".utf8))
    #expect(FileIdentity(of: file.fileDescriptor) == first)
    // The file remains open, so that its number is not used again.
    #expect(unlink(path) == 0)
    #expect(Files.makeAtOnce(path, text: "one"))
    #expect(try #require(FileIdentity(ofFileAt: path)) != first)
    #expect(FileIdentity(of: file.fileDescriptor) == first)
    try file.close()
  }

  @Test("Both clocks run, and the boot has an id")
  func clocks() {
    let environment = StoreEnvironment.linux(sessionFolder: nil)
    let moment = environment.now()
    #expect(moment.bootTime > 0)
    #expect(moment.bootID.count == 36)
    #expect(moment.session() == moment.bootID)
    #expect(abs(moment.wall.seconds - Int64(Date().timeIntervalSince1970)) < 60)
    #expect(environment.makeID() != environment.makeID())
  }

  @Test("Moments in file names read back, and nothing else does")
  func stamps() {
    let moment = Timestamp(seconds: 1_798_135_200)
    #expect(FileStamp.text(moment) == "20261224T180000Z")
    #expect(FileStamp.timestamp("20261224T180000Z") == moment)
    for text in ["", "20261324T180000Z", "20261224T180000", "2026-12-24T18:00:00Z"] {
      #expect(FileStamp.timestamp(text) == nil)
    }
  }

  @Test("Lifetimes, origins and programs read back as they were written")
  func texts() {
    let deadline = Deadline(wall: Timestamp(microseconds: -5), bootID: "a b", bootTime: 9)
    let process = ProcessIdentity(pid: 4711, startTime: .max)
    for lifetime in [Lifetime.forever, .session("an id"), .process(process), .until(deadline)] {
      #expect(Lifetime(lifetime.description) == lifetime)
    }
    for text in ["", "until 1 2", "process 1", "session", "forever 1"] { #expect(Lifetime(text) == nil) }
    for origin in [Origin.dashboard(id: "a b"), .commandLine, .terminal, .rule(""), .library] {
      #expect(Origin(origin.description) == origin)
    }
    #expect(Origin("nobody") == nil)
  }
}
