import Foundation
import TerminalTesting
import Testing

@Suite("Within a terminal multiplexer", .timeLimit(.minutes(5)))
struct MultiplexerTests {
  private let home: AskingHome

  init() throws { home = try AskingHome() }

  @Test("an alert is shown and answered in tmux", .needs("tmux"))
  func tmux() async throws {
    let server = ["tmux", "-S", home.folder.file("tmux"), "-f", "/dev/null"]
    try await answer(in: server + ["new-session", BuiltProgram.path])
    _ = try await home.run(server + ["kill-server"])
  }

  @Test("an alert is shown and answered in screen", .needs("screen"))
  func screen() async throws {
    let sockets = home.folder.file("screens")
    try FileManager.default.createDirectory(
      atPath: sockets, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try await answer(in: [
      "env", "SCREENDIR=\(sockets)", "screen", "-U", "-c", "/dev/null", BuiltProgram.path,
    ])
  }

  private func answer(in multiplexer: [String]) async throws {
    let session = try home.terminal(multiplexer)
    try session.expect("listening")
    async let asking = home.permtui("request", "photos", "--as", "backup", "--wait", "60")
    try session.expectArmed("backup asks to read your photos")
    #expect(session.picture.contains("┌") && session.picture.contains("Keep for"))
    session.type("a")
    #expect(try await asking.output == "allowed\n")
    try session.expectGone("backup asks to")
    session.type("q")
    _ = try session.waitForEnd()
  }
}
