import Foundation
import TerminalTesting
import Testing

/// The kernel remembers inside for a moment which file a name leads to. A program outside can give the name to another file
/// in that moment.
@Suite("Names that change outside", .needsWalls, .repeated, .timeLimitOfEachRound(minutes: 3))
struct SharedNameTests {
  /// Runs a line inside after a change outside. The line can use `file` and `folder/file`, whose names are known inside by
  /// then.
  private func change(_ outside: String, then inside: String) async throws -> (ground: Ground, output: String)
  {
    let ground = try await Ground()
    _ = try await ground.outside("sh", "-c", "mkdir folder; echo precious | tee file folder/file")
    let running = try ground.startInside(
      shell: """
        cat file folder/file > /dev/null; ls -l . folder > /dev/null; echo ready
        until [ -e go ]; do cat file folder/file > /dev/null; sleep 0.005; done; \(inside)
        """)
    try await running.printed("ready")
    let made = try await ground.outside("sh", "-c", outside + "; touch go")
    #expect(made.ending == .exited(0), "\(made.messages)")
    #expect(try await running.end() == 0, "\(running.messages)")
    return (ground, running.output.replacing("ready\n", with: ""))
  }

  @Test(
    "A file that was put aside is not overwritten", arguments: ["echo inside > file", "truncate -s 0 file"])
  func movedFile(line: String) async throws {
    let (ground, _) = try await change("mv file kept; echo new > file", then: line)
    #expect(try ground.text("kept") == "precious\n")
    #expect(try ground.text("file") != "new\n")
  }

  @Test("A line goes to the new log, not to the one that was put aside")
  func rotatedLog() async throws {
    let (ground, _) = try await change("mv file kept; echo new > file", then: "echo inside >> file")
    #expect(try ground.text("kept") == "precious\n")
    #expect(try ground.text("file") == "new\ninside\n")
  }

  @Test("A folder that was put aside is not changed")
  func movedFolder() async throws {
    let (ground, _) = try await change(
      "mv folder kept; mkdir folder; echo new > folder/file",
      then: "echo inside > folder/file; touch folder/made; rm -f folder/no")
    #expect(try ground.text("kept/file") == "precious\n")
    #expect(!FileManager.default.fileExists(atPath: ground.file("kept/made")))
    #expect(try ground.text("folder/file") == "inside\n")
    #expect(FileManager.default.fileExists(atPath: ground.file("folder/made")))
  }

  @Test("A link, a mode and a time go to the file that has the name now")
  func changedStatus() async throws {
    let (ground, _) = try await change(
      "chmod 640 file; mv file kept; echo new > file; chmod 600 file",
      then: "chmod 664 file; ln file linked; touch -d 2001-01-01 file")
    let found = try await ground.outside("sh", "-c", "stat -c '%a %h %Y' kept file; cat linked")
    let lines = found.output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("640 1 ") == true)
    #expect(lines.first?.hasSuffix(" 978307200") == false)
    #expect(lines.dropFirst() == ["664 2 978307200", "new"])
  }

  @Test("The size that a program sees is that of the file that has the name now")
  func size() async throws {
    let (_, output) = try await change("echo longer than before > new; mv new file", then: "stat -c %s file")
    #expect(output == "19\n")
  }

  @Test("A file that is open stays usable when it is moved or removed outside")
  func openFile() async throws {
    let ground = try await Ground()
    for name in ["moved", "removed"] { try ground.write("old\n", to: name) }
    let running = try ground.startInside(
      shell: """
        exec 3<> moved 4<> removed; echo ready; until [ -e go ]; do sleep 0.005; done
        cat <&3; cat <&4; echo more >&3; echo more >&4; stat -L -c %s /proc/self/fd/3 /proc/self/fd/4
        """)
    try await running.printed("ready")
    _ = try await ground.outside("sh", "-c", "mv moved elsewhere; rm removed; touch go")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "ready\nold\nold\n9\n9\n", "\(running.messages)")
    #expect(try ground.text("elsewhere") == "old\nmore\n")
  }

  @Test("Files of two disks are told apart", .enabled(if: getuid() == 0))
  func twoDisks() async throws {
    let ground = try await Ground()
    _ = try await ground.outside("mkdir", "one", "two")
    for disk in ["one", "two"] { try await ground.mountSmallDisk(disk, size: "64k") }
    _ = try await ground.outside(
      "sh", "-c", "echo one > one/file; echo two > two/file; ln one/file one/second")
    let numbers = try await ground.outside("stat", "-c", "%i", "one/file", "two/file")
    #expect(Set(numbers.output.split(separator: "\n")).count == 1, "the disks count from the same number")
    let run = try await ground.inside(
      shell:
        "[ one/file -ef two/file ] && echo same; [ one/file -ef one/second ] || echo other; cp one/file two/file; ls -i one two"
    )
    #expect(run.ending == .exited(0), "\(run.messages)")
    #expect(!run.output.contains("same") && !run.output.contains("other"))
    #expect(try ground.text("two/file") == "one\n")
    for disk in ["one", "two"] { try await ground.unmount(disk) }
  }
}
