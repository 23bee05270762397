import Machine
import PermModel
import Testing

@testable import PermTUI

@Suite("Connecting notifications")
struct NotifyConnectionTests {
  private let trial: ConnectTrial
  private let file = ".config/permtui/config.toml"

  init() throws { trial = try ConnectTrial() }

  /// Installs programs in the home folder, where they are found first.
  private func install(_ names: String...) throws {
    for name in names { try trial.file(".local/bin/\(name)", "#!/bin/sh\n", mode: 0o755) }
  }

  /// The settings as the broker reads them.
  private var settings: UserConfiguration? {
    trial.text(file).map { UserConfiguration(text: $0, file: file, ProbeEnvironment(home: trial.home)) }
  }

  @Test("The desktop is told what is asked for, as text that no shell reads")
  func desktop() throws {
    try install("notify-send", "tmux")
    try trial.run(.notify, .write)
    let command = try #require(settings?.notification?.command)
    #expect(command.prefix(2) == ["/bin/sh", "-c"])
    #expect(command[2].contains("\(trial.home)/.local/bin/notify-send"))
    #expect(command[2].contains(#""$PERMTUI_PROGRAM asks for $PERMTUI_CAPABILITY."#))
    #expect(command[2].contains("$PERMTUI_ANSWER"))
  }

  @Test("The lines that were written are taken out again, and the person's own settings stay")
  func removal() throws {
    try install("notify-send")
    try trial.file(file, "[prompt]\nslow = 2\n")
    try trial.run(.notify, .write)
    #expect(settings?.notification != nil)
    try trial.run(.notify, .remove)
    #expect(trial.text(file) == "[prompt]\nslow = 2\n")
  }

  @Test("A table of the person's own is left alone")
  func ownTable() throws {
    try install("notify-send")
    try trial.file(file, "[notify]\ncommand = [\"x\"]\n")
    let outcome = try trial.run(.notify, .write)
    #expect(outcome.error?.message.contains("has a table [notify] already") == true)
    #expect(trial.text(file) == "[notify]\ncommand = [\"x\"]\n")
  }
}
