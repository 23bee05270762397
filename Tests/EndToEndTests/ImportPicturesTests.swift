import Foundation
import TerminalTesting
import Testing

@Suite("The example program, in a terminal", .timeLimit(.minutes(5)))
struct ImportPicturesTests {
  private let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    for folder in ["Pictures", "Cloud", ".config/rclone"] {
      try FileManager.default.createDirectory(atPath: home.file(folder), withIntermediateDirectories: true)
    }
    for (name, text) in [
      ("Cloud/a.jpg", "a"), ("Cloud/b.txt", "b"), (".config/rclone/rclone.conf", "[nas]\ntype = sftp\n"),
    ] {
      try text.write(toFile: home.file(name), atomically: false, encoding: .utf8)
    }
  }

  private func example(_ options: [String] = []) throws -> TerminalSession {
    try TerminalSession(
      TestedProgram(
        path: BuiltProgram.path(of: "ImportPicturesExample"), arguments: options + [home.file("Cloud")],
        environment: ["HOME": home.path]), columns: 100)
  }

  private var imported: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: home.file("Pictures"))) ?? []
  }

  @Test("Asked twice on its own terminal and allowed twice, it imports the pictures and nothing else")
  func allowed() throws {
    let session = try example()
    try session.expect("import-pictures asks to add pictures to your photos")
    try session.expect("Type allow or deny")
    session.type("allow\r")
    try session.expect("import-pictures asks to read the files in your cloud accounts")
    try session.expect("how to answer the second") { picture in
      picture.lines.count { $0.contains("Type allow or deny") } == 2
    }
    session.type("allow\r")
    try session.expect("Imported 1 picture into")
    #expect(try session.waitForEnd() == .exit(code: 0))
    #expect(imported == ["a.jpg"])
  }

  @Test("After a no to the first question the second is not asked, and it says why")
  func denied() throws {
    let session = try example()
    try session.expect("Type allow or deny")
    session.type("deny\r")
    try session.expect("Nothing was imported.")
    #expect(try session.waitForEnd() == .exit(code: 1))
    #expect(session.picture.contains("add-only was denied"))
    #expect(!session.picture.contains("cloud accounts"))
    #expect(imported.isEmpty)
  }

  @Test("On the dashboard it asks like every other program, and what is decided there counts the next time")
  func dashboard() throws {
    let dashboard = try home.dashboard()
    try dashboard.expect("listening")
    let first = try example(["--dashboard"])
    for question in ["import-pictures asks to add", "import-pictures asks to read"] {
      try dashboard.expectArmed(question)
      dashboard.type("6")
      try dashboard.expect("(6) forever")
      try dashboard.expectArmed(question)
      dashboard.type("a")
      try dashboard.expectGone(question)
    }
    try first.expect("Imported 1 picture into")
    #expect(try first.waitForEnd() == .exit(code: 0))
    dashboard.type("q")
    #expect(try dashboard.waitForEnd() == .exit(code: 0))
    // It works without a dashboard, too.
    let second = try example(["--dashboard"])
    try second.expect("Imported 0 pictures into")
    #expect(try second.waitForEnd() == .exit(code: 0))
  }
}
