import Foundation
import Machine
import PermModel
import Testing

@testable import PermTUI

@Suite("Files that connect changes")
struct SettingsFileTests {
  private let trial: ConnectTrial
  private let settings = ".claude/settings.json"

  init() throws { trial = try ConnectTrial() }

  @Test("A link is followed, and stays a link")
  func link() throws {
    try trial.file("dotfiles/claude.json", "{}\n")
    try Folder.make(trial.path(".claude"))
    symlink("../dotfiles/claude.json", trial.path(settings))
    let run = try trial.run(.claude, .write)
    #expect(run.output.hasPrefix("~/.claude/settings.json, a link to ~/dotfiles/claude.json\n"))
    #expect(FileStatus(trial.path(settings), followingLinks: false)?.kind == .link)
    #expect(trial.text("dotfiles/claude.json")?.contains("PermissionRequest") == true)
    try trial.run(.claude, .remove)
    #expect(trial.text("dotfiles/claude.json") == "{}\n")
  }

  @Test("A link that leads nowhere, a folder, a pipe and a second name are refused")
  func others() throws {
    try Folder.make(trial.path(".claude"))
    symlink("nowhere", trial.path(settings))
    #expect(try trial.run(.claude, .write).error?.message.contains("leads nowhere") == true)
    unlink(trial.path(settings))
    mkfifo(trial.path(settings), 0o600)
    #expect(try trial.run(.claude, .write).error?.message.contains("is not a file of yours") == true)
    try trial.file(settings, "{}")
    Glibc.link(trial.path(settings), trial.path("other"))
    #expect(try trial.run(.claude, .write).error?.message.contains("single name") == true)
    #expect(trial.text("other") == "{}")
  }

  @Test("A folder in which others could put another file is refused")
  func openFolder() throws {
    try trial.file(settings, "{}")
    try Files.setMode(trial.path(".claude"), 0o777)
    let run = try trial.run(.claude, .write)
    #expect(run.error?.message.contains("others can change the folder") == true)
    #expect(trial.text(settings) == "{}")
  }

  @Test("A file that another program changes at that moment is not overwritten")
  func race() throws {
    try trial.file(settings, "{}")
    let file = try SettingsFile(trial.path(settings))
    try trial.file(settings, "{\"new\": 1}")
    #expect(throws: CommandError.self) { try file.write(Array("{\"ours\": 1}".utf8), at: trial.shell.now) }
    #expect(trial.text(settings) == "{\"new\": 1}")
    #expect(trial.names(in: ".claude") == ["settings.json"])
  }

  @Test(
    "Readers see the old file or the new one, because the new file takes the place of the old one at once")
  func replaced() throws {
    try trial.file(settings, "{}")
    let before = try #require(FileStatus(trial.path(settings)))
    let reader = try #require(FileHandle(forReadingAtPath: trial.path(settings)))
    try trial.run(.claude, .write)
    #expect(try reader.readToEnd() == Data("{}".utf8))
    #expect(FileStatus(trial.path(settings))?.isSame(as: before) == false)
    #expect(!trial.names(in: ".claude").contains { $0.hasPrefix(".permtui-") })
  }

  @Test("A program that others could replace is never named in settings")
  func openProgram() throws {
    let program = trial.places.program
    try Files.setMode(program, 0o757)
    #expect(try trial.run(.claude, .write).error?.message.contains("others can write to \(program)") == true)
    try Files.setMode(program, 0o755)
    try Files.setMode(trial.path("bin"), 0o775)
    #expect(
      try trial.run(.claude, .write).error?.message.contains("others can write to \(trial.home)/bin") == true)
    try Files.setMode(trial.path("bin"), 0o755)
    try Files.setMode(program, 0o644)
    #expect(try trial.run(.claude, .write).error?.message.contains("it cannot be run") == true)
    #expect(trial.text(settings) == nil)
  }

  @Test("A path that a shell or a settings file would read in its own way is never named")
  func strangePath() throws {
    for name in ["per'mtui", "per mtui", "per$mtui", "per%mtui", "per\nmtui"] {
      var places = trial.places
      places.program = trial.path("bin/\(name)")
      try trial.file("bin/\(name)", "", mode: 0o755)
      #expect(
        try trial.run(.claude, .write, places: places).error?.message.contains(
          "its path contains a character")
          == true)
    }
  }

  @Test("Text of the file is shown escaped")
  func hostileText() throws {
    try trial.file(
      settings, "{\n  \"a\": \"\u{202e}\u{7f}\u{1b}\"\n}".replacingOccurrences(of: "\u{1b}", with: "\\u001b"))
    let run = try trial.run(.claude)
    #expect(!run.output.contains("\u{202e}"))
    #expect(run.output.contains("\\u{202E}") || run.output.contains("\\u{202e}"), "\(run.output)")
  }

  @Test("The link by which an agent is started is recorded beside the store, and only once")
  func knownLink() throws {
    try trial.file("share/versions/1.0", "", mode: 0o755)
    try Folder.make(trial.path(".local/bin"))
    symlink(trial.path("share/versions/1.0"), trial.path(".local/bin/claude"))
    try trial.run(.claude, .write)
    try trial.run(.claude, .write)
    #expect(KnownLinks(inFolder: trial.places.state).paths == [trial.path(".local/bin/claude")])
    try trial.run(.claude, .remove)
    #expect(KnownLinks(inFolder: trial.places.state).paths == [])
  }

  @Test("A link in a folder that others can write to is not recorded")
  func openLink() throws {
    try trial.file("share/versions/1.0", "", mode: 0o755)
    try Folder.make(trial.path(".local/bin"))
    symlink(trial.path("share/versions/1.0"), trial.path(".local/bin/claude"))
    try Files.setMode(trial.path(".local/bin"), 0o777)
    try trial.run(.claude, .write)
    #expect(KnownLinks(inFolder: trial.places.state).paths == [])
  }
}
