import Foundation
import PermModel
import Testing

@testable import PermTUI

@Suite("An agent is named with its folder")
struct FolderNameTests {
  private let shell = TestShell()
  private let one: String
  private let two: String

  init() throws {
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    (one, two) = ("\(base)/permtui-\(UUID())", "\(base)/permtui-\(UUID())")
    for folder in [one, two] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
  }

  @Test("A decision with --in holds there, and the message says so")
  func allow() throws {
    let run = shell.run("allow", "claude", "photos", "--in", one + "/")
    #expect(run.output == "allowed photos:read for claude in \(one) forever\n")
    #expect(try shell.store.decisions().first?.subject.folder == ProgramFolder(at: one))
    #expect(shell.run("why", "claude", "photos", "--in", one).status == 0)
    #expect(shell.run("why", "claude", "photos", "--in", two).status == 3)
  }

  @Test("A decision that would rest at once is said to rest when it is kept")
  func rests() throws {
    #expect(shell.run("allow", "claude", "files:write@\(one)/").status == 0)
    let run = shell.run("allow", "claude", "commands:run@make …", "--in", one)
    #expect(run.status == 0)
    #expect(run.messages.contains("It rests while claude may write in this folder"))
    // Exactly a line, until log-out at most, is allowed for that very case.
    let (line, forms) = ("commands:run@npm test", "commands:run@git status …")
    #expect(!shell.run("allow", "claude", line, "--in", one, "--for", "session").messages.contains("rests"))
    #expect(shell.run("allow", "claude", line, "--in", one).messages.contains("rests"))
    #expect(!shell.run("allow", "claude", forms, "--in", one).messages.contains("rests"))
    #expect(!shell.run("deny", "claude", line, "--in", one).messages.contains("rests"))
    #expect(!shell.run("allow", "claude", "commands:run@make …", "--in", two).messages.contains("rests"))
  }

  @Test("A name that is known in several folders is refused, and the folders are listed")
  func ambiguous() throws {
    for folder in [one, two] {
      #expect(shell.run("allow", "/bin/sh", "photos", "--in", folder).status == 0)
    }
    let run = shell.run("forget", "/bin/sh", "photos")
    #expect(run.status == 64)
    #expect(run.messages.contains("--in \(one)") && run.messages.contains("--in \(two)"))
    #expect(shell.run("allow", "/bin/sh", "camera").status == 64)
    #expect(shell.run("forget", "/bin/sh", "photos", "--in", one).status == 0)
    #expect(try shell.store.decisions().map(\.subject.folder?.path) == [two])
  }

  @Test("A denial without a folder needs none, and holds in every folder")
  func deny() throws {
    for folder in [one, two] { shell.run("allow", "/bin/sh", "camera", "--in", folder) }
    #expect(shell.run("deny", "/bin/sh", "photos").status == 0)
    #expect(shell.run("why", "/bin/sh", "photos", "--in", one).status == 1)
  }

  @Test("A folder that is not there is refused; decisions in it can be forgotten")
  func missing() throws {
    #expect(shell.run("allow", "claude", "photos", "--in", one + "/none").status == 64)
    shell.run("allow", "/bin/sh", "photos", "--in", one)
    try FileManager.default.removeItem(atPath: one)
    #expect(shell.run("forget", "/bin/sh", "--in", one).status == 0)
    #expect(try shell.store.decisions().isEmpty)
  }
}
