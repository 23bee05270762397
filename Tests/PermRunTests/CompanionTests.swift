import Foundation
import TerminalTesting
import Testing
import Waiting

@Suite("Companions of a file that may be written", .needsWalls, .timeLimit(.minutes(5)))
struct CompanionTests {
  private func ground() async throws -> Ground {
    let ground = try await Ground(isAllowed: false)
    try ground.write("old\n", to: "file")
    try await ground.decide("allow", "files:write@\(ground.file("file"))")
    return ground
  }

  @Test(
    "A file is saved by way of another one without asking",
    arguments: [
      "echo new > file.tmp; mv file.tmp file", "echo new > file.tmp.12.34; mv file.tmp.12.34 file",
      "mv file file~; echo new > file; rm file~",
      "set -C; echo > file.lock; set +C; echo new > file; rm file.lock",
      "vim -u NONE -i NONE -N -n -es -c 'set writebackup backupcopy=no' -c '%s/old/new/' -c wq file",
      "sed -n 's/old/new/w file.bak' file; mv file.bak file",
    ])
  func saving(line: String) async throws {
    let ground = try await ground()
    let run = try await ground.inside(shell: line)
    #expect(run.ending == .exited(0), "\(run.messages)")
    #expect(!run.messages.contains("asks"), "\(run.messages)")
    #expect(try ground.text("file") == "new\n")
    let left = try await ground.outside("ls", "-A")
    #expect(left.output == "file\n")
  }

  @Test("SQLite writes a database of which only the file was allowed", arguments: ["delete", "wal"])
  func database(mode: String) async throws {
    let ground = try await Ground(isAllowed: false)
    _ = try await ground.outside("python3", ground.user.program("database.py"), "make", "file", mode)
    try await ground.decide("allow", "files:write@\(ground.file("file"))")
    // SQLite opens the folder, to put the name of a journal on the disk.
    try await ground.decide("allow", "files:read@\(ground.work)")
    let run = try await ground.inside(shell: "python3 -I \(ground.user.program("writer.py")) file one 5")
    #expect(run.output == (0..<5).map { "one \($0)\n" }.joined(), "\(run.messages)")
  }

  @Test(
    "Everything else is asked about",
    arguments: [
      ("echo x > file.new", "file.new"), ("umask 0; cp -p /usr/bin/true file.tmp", "file.tmp"),
      ("echo x > file.tmp; chmod +x file.tmp", "file.tmp"),
      ("echo x > file.tmp; mv file.tmp other", "file.tmp"),
      ("echo x > file.tmp; ln file.tmp linked", "file.tmp"), ("mkdir file.lock", "file.lock"),
      ("ln -s x .#file", ".#file"), ("echo x > theirs.tmp", "theirs.tmp"), ("mv file other", "other"),
      ("echo x > file.bak", "file.bak"),
    ])
  func others(line: String, name: String) async throws {
    let ground = try await ground()
    if name == "file.bak" { try ground.write("somebody else's\n", to: "file.bak") }
    let running = try ground.startInside(shell: line)
    try await running.asked("files:write@\(ground.file(name))")
    if name == "file.bak" { #expect(try ground.text("file.bak") == "somebody else's\n") }
  }
}
