import Foundation
import Machine
import PermModel
import TerminalTesting

@testable import PermTUI

/// A home folder of a test's own, and `permtui connect` in it.
final class ConnectTrial: Sendable {
  struct Outcome {
    var output: String
    var messages: String
    var error: CommandError?
  }

  let folder: TemporaryFolder
  let shell: TestShell
  let places: SettingsPaths

  init(shell: TestShell = TestShell()) throws {
    folder = try TemporaryFolder()
    self.shell = shell
    let home = Paths.resolved(folder.path) ?? folder.path
    for name in ["bin", "app", "state"] { try Folder.make("\(home)/\(name)") }
    var context = shell.context()
    context.environment = ["HOME": home, "XDG_STATE_HOME": "\(home)/state", "PATH": "/usr/bin"]
    var places = try SettingsPaths(context)
    places.program = "\(home)/bin/permtui"
    places.sockets = "\(home)/run"
    places.here = "\(home)/app"
    places.root = "\(home)/root"
    self.places = places
    for name in ["permtui", "permtui-askpass"] {
      try Files.make("\(home)/bin/\(name)", "#!/bin/sh\n".utf8)
      try Files.setMode("\(home)/bin/\(name)", 0o755)
    }
  }

  var home: String { places.home }

  func path(_ name: String) -> String { "\(home)/\(name)" }

  /// Writes a file below the home folder.
  func file(_ name: String, _ text: String, mode: UInt32 = 0o600) throws {
    try Folder.make(path(name).folderOfPath)
    Files.remove(path(name))
    try Files.make(path(name), text.utf8)
    try Files.setMode(path(name), mode)
  }

  func text(_ name: String) -> String? { Files.text(of: path(name)) }

  /// All files below a folder, without the names of those that are kept.
  func names(in name: String) -> [String] { Folder.names(in: path(name)).sorted() }

  func context(_ data: RecordedSink = RecordedSink(), _ messages: RecordedSink = RecordedSink())
    -> CommandContext
  {
    var context = shell.context(data, messages)
    context.environment = ["HOME": home, "XDG_STATE_HOME": path("state")]
    return context
  }

  @discardableResult
  func run(
    _ program: ConnectableProgram, _ step: ConnectionWork.Step = .show, places: SettingsPaths? = nil,
    isAboutWalls: Bool = false
  ) throws -> Outcome {
    let (data, messages) = (RecordedSink(), RecordedSink())
    var outcome = Outcome(output: "", messages: "")
    do {
      _ = try ConnectionWork(
        program: program, places: places ?? self.places, context: context(data, messages),
        isAboutWalls: isAboutWalls
      ).run(step)
    } catch let error as CommandError {
      outcome.error = error
    }
    (outcome.output, outcome.messages) = (data.text, messages.text)
    return outcome
  }
}
