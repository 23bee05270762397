import Foundation
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Taking decisions from one store to another")
struct TransferTests {
  private let shell = TestShell()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test("Decisions exported and imported elsewhere stand there as they stood here")
  func roundTrip() throws {
    shell.run("allow", "backup", "photos", "--for", "8h")
    shell.run("deny", "tracker", "location")
    let file = folder.file("decisions.ndjson")
    #expect(shell.run("export", file).status == 0)
    #expect(try text(file) == shell.run("export").output)
    let other = TestShell()
    let run = other.run("import", file)
    #expect(run.status == 0)
    #expect(run.lines.count == 4)
    #expect(run.messages.hasPrefix("4 added, 0 replaced"))
    #expect(try other.store.decisions() == shell.store.decisions())
    #expect(other.run("import", file).messages.contains("4 the same already"))
  }

  @Test("A dry run says what would change and changes nothing; undo takes back the whole import")
  func dryRunAndUndo() throws {
    shell.run("allow", "backup", "photos:read,add-only")
    let file = folder.file("decisions.ndjson")
    shell.run("export", file)
    let other = TestShell()
    other.run("deny", "backup", "photos:read")
    let before = try other.store.decisions()
    let plan = other.run("import", file, "--dry-run")
    #expect(plan.messages.hasPrefix("1 would be added, 1 would be replaced"))
    #expect(plan.lines.last?.hasSuffix("was denied forever") == true)
    #expect(try other.store.decisions() == before)
    other.run("import", file)
    #expect(try other.store.decisions().map(\.verdict) == [.allow, .allow])
    other.run("undo")
    #expect(try other.store.decisions() == before)
  }

  @Test("An import says which allows its denials take back, but not those that it brings itself")
  func takenBack() throws {
    shell.run("deny", "agent", "files:read@/srv/")
    shell.run("allow", "agent", "files:read@/srv/music/")
    let file = folder.file("decisions.ndjson")
    shell.run("export", file)
    let other = TestShell()
    for scope in ["/srv/a", "/srv/b/", "/srv/music/", "/etc/hosts"] {
      other.run("allow", "agent", "files:read@\(scope)")
    }
    other.run("allow", "another", "files:read@/srv/a")
    let plan = other.run("import", file, "--dry-run")
    #expect(plan.messages.contains("2 allows inside of what is denied would be taken back"))
    #expect(plan.lines.filter { $0.hasPrefix("- agent: ") }.count == 2)
    let before = try other.store.decisions().count
    let run = other.run("import", file)
    #expect(run.messages.contains("2 allows inside of what is denied taken back"))
    #expect(try other.store.decisions().count == before - 2 + 1)
  }

  @Test("An allow that a denial for everyone makes void is left out, wherever the denial comes from")
  func void() throws {
    shell.run("allow", "backup", "photos:read")
    shell.run("allow", "backup", "camera")
    shell.run("deny", "everyone", "camera")
    let file = folder.file("decisions.ndjson")
    shell.run("export", file)
    let other = TestShell()
    other.run("deny", "everyone", "photos:read")
    let run = other.run("import", file)
    #expect(run.messages.contains("2 left out because the policy or a denial for everyone makes them void"))
    #expect(try other.store.decisions().allSatisfy { $0.verdict == .deny })
  }

  @Test("An export replaces a file only if told to, and is for its owner only")
  func existingFile() throws {
    let file = folder.file("decisions.ndjson")
    try "precious".write(toFile: file, atomically: true, encoding: .utf8)
    let refused = shell.run("export", file)
    #expect(refused.status == 2)
    #expect(refused.messages.contains("--force"))
    #expect(try text(file) == "precious")
    #expect(shell.run("export", file, "--force").status == 0)
    #expect(try text(file) != "precious")
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["decisions.ndjson"])
  }

  @Test(
    "A file that is no export changes nothing, and the message says which line is wrong",
    arguments: [
      ("hello\n", "1"), ("{\"format\":99,\"permtui\":\"decisions\"}\n", "99"),
      ("{\"format\":1,\"permtui\":\"decisions\"}\n{}\n", "2"),
    ])
  func unreadable(text: String, hint: String) throws {
    let file = folder.file("bad")
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let run = shell.run("import", file)
    #expect(run.status == 2, "\(run.messages)")
    #expect(run.messages.contains(hint), "\(run.messages)")
    #expect(try shell.store.decisions().isEmpty)
  }

  @Test("A file that is not there, or is not text, is an error that names it")
  func unreadableFile() throws {
    #expect(shell.run("import", "/nonexistent/file").messages.contains("/nonexistent/file"))
    let file = folder.file("binary")
    try Data([0xff, 0xfe, 0x00]).write(to: URL(filePath: file))
    let run = shell.run("import", file)
    #expect(run.status == 2)
    #expect(run.messages.contains("UTF-8"))
  }
}
