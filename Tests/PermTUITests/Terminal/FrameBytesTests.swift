import Testing

@testable import PermTUI

@Suite("The bytes of a frame")
struct FrameBytesTests {
  @Test(
    "are shortened where that changes nothing on the screen",
    arguments: [
      ("\u{1b}[38;5;28mread\u{1b}[39m\u{1b}(B\u{1b}[m  ", "\u{1b}[38;5;28mread\u{1b}[m  "),
      ("\u{1b}(B\u{1b}[0;7m>", "\u{1b}[0;7m>"), ("\u{1b}[39m x", "\u{1b}[39m x"), ("", ""),
      ("\u{1b}(", "\u{1b}("), ("\u{1b}[", "\u{1b}["), ("\u{1b}[3", "\u{1b}[3"),
      ("\u{1b}[39m\u{1b}[0;7mx", "\u{1b}[0;7mx"), ("\u{1b}[m\u{1b}[K\u{1b}[m", "\u{1b}[m\u{1b}[K\u{1b}[m"),
      ("\u{1b}[0m\u{1b}[38;5;31mx", "\u{1b}[0;38;5;31mx"), ("\u{1b}[m\u{1b}[1mx", "\u{1b}[0;1mx"),
      ("\u{1b}[1m\u{1b}[38;5;0m\u{1b}[4mx", "\u{1b}[1;38;5;0;4mx"),
      ("日本\u{1b}[3;4H", "日本\u{1b}[3;4H"),
    ])
  func shortened(bytes: String, expected: String) {
    #expect(String(decoding: FrameBytes.shortened(Array(bytes.utf8)), as: UTF8.self) == expected)
  }
}
