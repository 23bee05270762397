import TerminalTesting
import Testing

@testable import PermTUI

extension RealTerminalTests {
  @Suite("right-to-left text")
  struct TextOrder {
    @Test(
      "is shown in the order of the cells while the screen is open, also where the terminal has its own way to say so",
      arguments: [
        ("xterm-256color", "\u{1b}[8l", "\u{1b}[8h"), ("tmux-256color", "\u{1b}[8l", "\u{1b}[8h"),
        ("mlterm", "\u{1b}]5379;use_ctl=false\u{7}", "\u{1b}]5379;use_ctl=true\u{7}"),
      ])
    func order(type: String, explicit: String, implicit: String) throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options(type: type))
      #expect(try text(in: window).contains(explicit))
      terminal.close()
      #expect(try text(in: window).contains(implicit))
    }

    private func text(in window: TestWindow) throws -> String {
      try String(decoding: window.takeOutput(), as: UTF8.self)
    }
  }
}
