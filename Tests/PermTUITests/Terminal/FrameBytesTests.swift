import Testing

@testable import PermTUI

@Suite("The bytes of a frame")
struct FrameBytesTests {
  /// Returns the bytes for a screen of six rows with twenty columns. A `^` means `ESC [`.
  private func shortened(_ bytes: String, since lines: [String]? = nil, cursor: Position? = nil) -> String {
    var previous = lines.map { Grid($0, width: 20, height: 6) }
    previous?.cursor = cursor.map { Grid.Cursor(position: $0) }
    let result = FrameBytes.shortened(
      Array(bytes.replacing("^", with: "\u{1b}[").utf8), size: Size(width: 20, height: 6), since: previous)
    return String(decoding: result, as: UTF8.self).replacing("\u{1b}[", with: "^")
  }

  @Test(
    "are shortened where that changes nothing on the screen",
    arguments: [
      ("^38;5;28mread^39m\u{1b}(B^m  ", "^38;5;28mread^m  "),
      ("\u{1b}(B^0;7m>", "^0;7m>"), ("^39m x", "^39m x"), ("", ""),
      ("\u{1b}(", "\u{1b}("), ("^", "^"), ("^3", "^3"),
      ("^39m^0;7mx", "^0;7mx"), ("^m^K^m", "^m^K^m"),
      ("^0m^38;5;31mx", "^0;38;5;31mx"), ("^m^1mx", "^0;1mx"),
      ("^1m^38;5;0m^4mx", "^1;38;5;0;4mx"),
      ("日本^3;4H", "日本^3;4H"), ("^m^3;4H^1mx", "^3;4H^0;1mx"),
    ])
  func attributes(bytes: String, expected: String) { #expect(shortened(bytes) == expected) }

  @Test(
    "move the cursor in the shortest way that is certain",
    arguments: [
      // In the same row, in the next, and in another one.
      ("^3;4Hab^3;12Hc", "^3;4Hab^12Gc"),
      ("^3;4Ha\r^3;1Hb", "^3;4Ha\rb"),
      ("^3;4Ha^4;4Hb", "^3;4Ha\n^4Gb"),
      ("^3;4Ha\r^4db", "^3;4Ha\n\rb"),
      ("^3;4Ha^5;4Hb", "^3;4Ha^5;4Hb"),
      ("\r^3da", "^3Ha"),
      ("^3;1Ha^H", "^3Ha^H"),
      ("^3;1H^K^4d^K", "^3H^K\n\r^K"),
      // The last cell of the row might be filled.
      ("^3;18Hab^4;4Hc", "^3;18Hab\n^4Gc"),
      ("^3;18Habc^4;4Hd", "^3;18Habc^4;4Hd"),
      ("^3;18H–…^4;4Hd", "^3;18H–…\n^4Gd"),
      ("^3;18H日^3;4Hd", "^3;18H日^4Gd"),
      ("^3;17H日本^3;4Hd", "^3;17H日本^3;4Hd"),
      // The position of the cursor is unknown after a sequence that the filter does not know.
      ("^3;4Ha^A^3;4Hb", "^3;4Ha^A^3;4Hb"),
      ("^3;4Ha\u{1b}M^3;4Hb", "^3;4Ha\u{1b}M^3;4Hb"),
      // A line feed in the last row of the part that scrolls would scroll it.
      ("^2;4r^4;1Ha^5;1Hb", "^2;4r^4Ha^5Hb"),
      // Scrolling does not depend on the cursor.
      ("^2;4r^4;1H^2S^1;6r^3;4Ha", "^2;4r^2S^r^3;4Ha"),
      ("^H^2Ta", "^2T^Ha"),
      ("^2;4r^4;1H\n^1;6r", "^2;4r^4H\n^r"),
    ])
  func movements(bytes: String, expected: String) { #expect(shortened(bytes) == expected) }

  @Test("begin at the cursor of the frame before")
  func beginning() {
    let cursor = Position(row: 2, column: 1)
    #expect(shortened("\u{8}  ab^3;9Hc", since: ["one"], cursor: cursor) == "\u{8}  ab^9Gc")
    #expect(shortened("\u{8}  ab^3;9Hc", since: ["one"]) == "\u{8}  ab^3;9Hc")
  }

  @Test(
    "erase no blanks",
    arguments: [
      ("^1;4Hx^K", "^1;4Hx"),
      ("^1;2Hx^K", "^1;2Hx^K"),
      ("^1;4Hé^K", "^1;4Hé^K"), ("^1;4He\u{301}–^K", "^1;4He\u{301}–^K"),
      ("^1;3He\u{301}–^K", "^1;3He\u{301}–^K"),
      ("^2;1H^K", "^2H"),
      ("^2;4Habc^2;1H^5X", "^2;4Habc\r^5X"),
      // Rows that are scrolled move their text, and leave blank rows behind them.
      ("^1;3r^2S^1;6r^1;1H^K^2;4Ha^9X^9Gb^K", "^1;3r^2S^r^H^K\n^4Ga^9Gb"),
      ("^1;3r^1T^1;6r^1;1Ha^K^2;1Hb^K", "^1;3r^1T^r^Ha\n\rb^K"),
      ("^1;3r^3;1H\n^1;6r^2;1H^K", "^1;3r^3H\n^r^2H^K"),
    ])
  func blanks(bytes: String, expected: String) {
    #expect(shortened(bytes, since: ["one", "", "two"]) == expected)
  }
}
