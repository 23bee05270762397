import Foundation
import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("The program of a run")
struct RunClaimTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func seen(_ program: String, _ arguments: String...) -> IdentifiedProgram? {
    RunClaim(
      first: ProcessIdentity(pid: 71, startTime: 710), program: program,
      arguments: [program.lastPathPart] + arguments, folder: folder.path, terminal: "pts/3"
    ).seenProgram()
  }

  @Test("It is the file itself, whatever links lead to it")
  func itself() throws {
    let file = try folder.write("#!/bin/sh\n", to: "tool-2.1")
    try FileManager.default.createSymbolicLink(atPath: folder.file("tool"), withDestinationPath: file)
    let found = try #require(seen(folder.file("tool")))
    #expect(found.file?.path == file)
    #expect(found.file?.identity == FileIdentity(ofFileAt: file))
    #expect(found.evidence.doubt == nil)
    #expect(!found.evidence.isSandboxed)
  }

  @Test("For an interpreter it is the script, also by a relative path")
  func script() throws {
    let script = try folder.write("print()\n", to: "report.py")
    let shell = try #require(seen("/bin/sh", "report.py"))
    #expect(shell.file?.path == script)
    #expect(shell.evidence.interpreter != nil)
    #expect(shell.subject(label: nil).label == "report.py")
    #expect(seen("/bin/sh", script)?.file?.path == script)
  }

  @Test(
    "A program that is in no file, or starts others, is in doubt, so that nothing is kept beyond the run",
    arguments: [
      ["/bin/sh", "-c", "ls"], ["/usr/bin/env", "ls"], ["/usr/bin/nice", "ls"], ["/bin/sh", "gone.sh"],
      ["/bin/sh", "/dev/fd/3"], ["/bin/sh", "/proc/self/fd/3"],
    ])
  func doubt(_ line: [String]) throws {
    let claim = RunClaim(
      first: ProcessIdentity(pid: 71, startTime: 710), program: line[0], arguments: line, folder: folder.path)
    let seen = try #require(claim.seenProgram())
    #expect(seen.file == nil)
    #expect(seen.evidence.doubt != nil)
    #expect(seen.subject(label: nil).fileless?.process == claim.first)
  }

  @Test("A process counts as started by another only while both are the same processes")
  func descends() throws {
    let witness = WardenWitness()
    try running(["sleep", "60"], in: "/") { child in
      defer { kill(child, SIGKILL) }
      let own = try #require(witness.identity(getpid()))
      let first = try #require(witness.identity(child))
      #expect(witness.descends(first, own))
      #expect(!witness.descends(own, first))
      #expect(!witness.descends(own, own))
      #expect(!witness.descends(ProcessIdentity(pid: child, startTime: first.startTime + 1), own))
      #expect(!witness.descends(first, ProcessIdentity(pid: own.pid, startTime: own.startTime + 1)))
      #expect(!witness.isWarden(child))
    }
  }

  @Test("A program of this name elsewhere is no warden")
  func elsewhere() throws {
    let copy = folder.file("permtui-run")
    try copyProgram("/bin/sleep", to: copy)
    try running([copy, "60"], in: "/") { child in
      defer { kill(child, SIGKILL) }
      #expect(!WardenWitness().isWarden(child))
    }
  }
}
