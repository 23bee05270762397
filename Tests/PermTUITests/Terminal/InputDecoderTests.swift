import Testing

@testable import PermTUI

@Suite("The input decoder")
struct InputDecoderTests {
  /// Feeds `chunks` at the given times, lets every deadline pass, and returns all events.
  private func events(_ chunks: [(at: Int64, bytes: [UInt8])], isUTF8: Bool = true) -> [InputEvent] {
    var decoder = InputDecoder(isUTF8: isUTF8)
    var events: [InputEvent] = []
    for chunk in chunks {
      events += decoder.expire(now: chunk.at)
      events += decoder.feed(chunk.bytes, now: chunk.at)
    }
    return events + decoder.expire(now: .max)
  }

  private func events(_ text: String) -> [InputEvent] { events([(0, Array(text.utf8))]) }

  @Test(
    "Characters and controls are keys",
    arguments: [
      ("a", Key.character("a")), (" ", .character(" ")), ("é", .character("é")), ("日", .character("日")),
      ("👍", .character("👍")), ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{8}", .backspace),
      ("\u{7f}", .backspace), ("\u{3}", .control("c")), ("\u{1a}", .control("z")), ("\u{1c}", .control("\\")),
      ("\u{1b}", .escape),
    ])
  func single(text: String, key: Key) {
    #expect(events(text) == [.key(key)])
  }

  @Test(
    "Sequences of every common terminal are keys",
    arguments: [
      ("\u{1b}[A", Key.up), ("\u{1b}OA", .up), ("\u{1b}[D", .left), ("\u{1b}[H", .home), ("\u{1b}[1~", .home),
      ("\u{1b}[7~", .home), ("\u{1b}OF", .end), ("\u{1b}[3~", .delete), ("\u{1b}[5~", .pageUp),
      ("\u{1b}[6~", .pageDown), ("\u{1b}[Z", .backTab), ("\u{1b}OP", .function(1)),
      ("\u{1b}[[A", .function(1)),
      ("\u{1b}[15~", .function(5)), ("\u{1b}[24~", .function(12)),
    ])
  func sequence(text: String, key: Key) {
    #expect(events(text) == [.key(key)])
  }

  @Test(
    "The digits of a keypad, and controls of other protocols, are keys",
    arguments: [
      ("\u{1b}Op", Key.character("0")), ("\u{1b}Oq", .character("1")), ("\u{1b}Oy", .character("9")),
      ("\u{1b}[99;5u", .control("c")), ("\u{1b}[27;5;99~", .control("c")), ("\u{1b}[122;5u", .control("z")),
      ("\u{1b}[108;5u", .control("l")), ("\u{1b}[27;5;100~", .control("d")),
      ("\u{1b}[99;5:1u", .control("c")),
      ("\u{1b}[99:67;133u", .control("c")), ("\u{1b}[27u", .escape), ("\u{1b}[13;1u", .enter),
      ("\u{1b}[9;2u", .backTab), ("\u{1b}[127u", .backspace), ("\u{1b}[109;5u", .enter),
      ("\u{9b}A", .up), ("\u{8f}P", .function(1)),
    ])
  func otherProtocols(text: String, key: Key) {
    #expect(events(text) == [.key(key)])
  }

  @Test("Eight bits are a control character, alone and as UTF-8", arguments: [true, false])
  func eightBits(isUTF8: Bool) {
    #expect(events([(0, [0x9b, 0x42])], isUTF8: isUTF8) == [.key(.down)])
    #expect(events([(0, [0x9d, 0x6c, 0x61, 0x9c, 0x6b])], isUTF8: isUTF8) == [.noise, .key("k")])
    #expect(events([(0, [0x90, 0x61, 0x1b, 0x5c, 0x6b])], isUTF8: isUTF8) == [.noise, .key("k")])
  }

  @Test("A string that contains the terminator's byte within a character goes on")
  func terminatorInCharacter() {
    // A check mark (E2 9C 93) in a window's title.
    #expect(events("\u{1b}]l✓ quit\u{1b}\\k") == [.noise, .key("k")])
    #expect(events("\u{1b}]lquit\u{9c}k") == [.noise, .key("k")])
  }

  @Test(
    "Replies of the terminal and unknown sequences are swallowed whole",
    arguments: [
      "\u{1b}[?1;2c", "\u{1b}[12;34R", "\u{1b}[1;5A", "\u{1b}[>41;354;0c",
      "\u{1b}[<0;3;4m",
      "\u{1b}]11;rgb:ffff/ffff/aaaa\u{7}", "\u{1b}]11;rgb:yyyy/aaaa/dddd\u{1b}\\",
      "\u{1b}P>|a y terminal\u{1b}\\",
      "\u{1b}_Gi=1;OK\u{1b}\\", "\u{1b}Oa", "\u{1b}[200$y",
    ])
  func replies(text: String) {
    let found = events(text)
    #expect(!found.isEmpty && found.allSatisfy { $0 == .noise })
  }

  @Test(
    "An Alt combination never means its letter",
    arguments: ["\u{1b}y", "\u{1b}a", "\u{1b}d", "\u{1b}\r", "\u{1b}é", "\u{1b}日", "\u{1b}1", "\u{1b} "])
  func alternate(text: String) {
    #expect(events(text) == [.noise])
  }

  @Test("^C is ^C also right after Escape")
  func interruptAfterEscape() {
    #expect(events("\u{1b}\u{3}") == [.key(.control("c"))])
  }

  @Test("A sequence may come in pieces")
  func pieces() {
    #expect(events([(0, [0x1b]), (20, [0x5b]), (90, [0x41])]) == [.key(.up)])
    #expect(events([(0, [0xe6]), (5, [0x97]), (10, [0xa5])]) == [.key("日")])
  }

  @Test("Escape is Escape when nothing follows in time, and then letters are letters again")
  func loneEscape() {
    var decoder = InputDecoder(escapeDelay: 25)
    #expect(decoder.feed([0x1b], now: 100) == [])
    #expect(decoder.deadline == 125)
    #expect(decoder.expire(now: 124) == [])
    #expect(decoder.expire(now: 125) == [.key(.escape)])
    #expect(decoder.deadline == nil)
    #expect(decoder.feed([0x61], now: 126) == [.key("a")])
  }

  @Test("Two Escapes are two keys")
  func twice() {
    #expect(events("\u{1b}\u{1b}") == [.key(.escape), .key(.escape)])
  }

  @Test("The window's focus is told, also right after Escape")
  func focus() {
    #expect(events("\u{1b}[I") == [.focused])
    #expect(events("\u{1b}[O") == [.unfocused])
    #expect(events("\u{1b}\u{1b}[O") == [.key(.escape), .unfocused])
  }

  @Test("A repeat is told apart from a press, and letting a key go is nothing")
  func repeats() {
    #expect(events("\u{1b}[97;1:2u") == [.repeated])
    #expect(events("\u{1b}[1;1:2A") == [.repeated])
    #expect(events("\u{1b}[97;1:3u") == [])
    #expect(events("\u{1b}[97;1:1u") == [.noise])
    #expect(events("\u{1b}[1;1:22A") == [.noise])
  }

  @Test("A sequence that never ends is given up")
  func unfinished() {
    var decoder = InputDecoder()
    _ = decoder.feed(Array("\u{1b}]0;never".utf8), now: 0)
    #expect(decoder.expire(now: 999) == [])
    #expect(decoder.expire(now: 1_000) == [.noise])
    #expect(decoder.feed(Array("q".utf8), now: 1_001) == [.key("q")])
  }

  @Test("A key after a broken sequence is still a key")
  func recovery() {
    #expect(events("\u{1b}[12\u{1b}[A") == [.noise, .key(.up)])
    #expect(events([(0, [0xe6, 0x97, 0x61])]) == [.noise, .key("a")])
    #expect(events([(0, [0xff, 0xc0, 0x61])]) == [.noise, .noise, .key("a")])
  }

  @Test(
    "Characters that cannot be seen are no keys",
    arguments: ["\u{202e}", "\u{200d}", "\u{feff}", "\u{85}", "\u{e000}"])
  func invisible(text: String) {
    #expect(events(text) == [.noise])
  }

  @Test("Without UTF-8, bytes above ASCII are no keys")
  func bytes() {
    #expect(events([(0, [0xe9, 0x61])], isUTF8: false) == [.noise, .key("a")])
  }

  @Test("A paste is one event, whatever is in it")
  func paste() {
    let inside = "y\ra\u{1b}[A\u{3}\u{1b}[201 日 \u{1b}\u{1b}[20"
    #expect(events("\u{1b}[200~\(inside)\u{1b}[201~n") == [.paste(inside), .key("n")])
    #expect(events("\u{1b}[200~\u{1b}[201~") == [.paste("")])
  }

  @Test("A paste that comes in pieces is one event, and each piece breaks the quiet")
  func pasteInPieces() {
    let chunks: [(Int64, [UInt8])] = [
      (0, Array("\u{1b}[20".utf8)), (1, Array("0~yy".utf8)), (2, Array("yy\u{1b}[2".utf8)),
      (3, Array("01~".utf8)),
    ]
    #expect(events(chunks) == [.noise, .noise, .paste("yyyy")])
  }

  /// Returns a decoder in the middle of a paste that has stalled.
  private func stalledPaste() -> InputDecoder {
    var decoder = InputDecoder()
    #expect(decoder.feed(Array("\u{1b}[200~yyy".utf8), now: 0) == [.noise])
    #expect(decoder.expire(now: 1_000) == [.noise])
    return decoder
  }

  @Test("The rest of a paste that stalled is no key, up to its end")
  func restOfStalledPaste() {
    var decoder = stalledPaste()
    #expect(decoder.feed(Array("ux!q\u{1b}[20".utf8), now: 1_200) == [.stalled])
    #expect(decoder.feed(Array("1~y".utf8), now: 3_000) == [.noise, .key("y")])
  }

  @Test("A lone Escape ends a paste that has no end, however late, and is no key itself")
  func pasteWithoutEnd() {
    var decoder = stalledPaste()
    #expect(decoder.feed(Array("q".utf8), now: 900_000) == [.stalled])
    #expect(decoder.feed([0x1b], now: 900_100) == [.stalled])
    #expect(decoder.expire(now: 900_599) == [])
    #expect(decoder.expire(now: 900_600) == [.noise])
    #expect(decoder.feed(Array("q".utf8), now: 900_601) == [.key("q")])
  }

  @Test("The mark at the end of a stalled paste can come in pieces, and ^C works at once")
  func endOfStalledPaste() {
    var decoder = stalledPaste()
    #expect(decoder.feed([0x1b], now: 2_000) == [.stalled])
    #expect(decoder.feed(Array("[201~".utf8), now: 2_400) == [.noise])
    decoder = stalledPaste()
    #expect(decoder.feed([0x03], now: 1_100) == [.noise, .key(.control("c"))])
  }

  @Test("A paste right after Escape is a paste")
  func pasteAfterEscape() {
    #expect(events("\u{1b}\u{1b}[200~y\u{1b}[201~") == [.key(.escape), .paste("y")])
  }

  @Test("Of a huge paste a bounded part is kept")
  func hugePaste() {
    let huge = String(repeating: "y", count: 3 * InputDecoder.pasteLimit)
    let found = events("\u{1b}[200~\(huge)\u{1b}[201~")
    guard case .paste(let text) = found.first else {
      Issue.record("no paste but \(found.prefix(3))")
      return
    }
    #expect(found.count == 1)
    #expect(text.utf8.count == InputDecoder.pasteLimit)
  }

  @Test("Any bytes in any pieces leave the decoder working")
  func storm() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix(seed: seed)
    var decoder = InputDecoder()
    var now: Int64 = 0
    for _ in 0..<5_000 {
      let bytes = (0..<Int.random(in: 1...20, using: &random)).map { _ in
        Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : 0x1b
      }
      _ = decoder.feed(bytes, now: now)
      now += Int64.random(in: 0...200, using: &random)
      _ = decoder.expire(now: now)
    }
    _ = decoder.expire(now: .max)
    #expect(decoder.feed(Array("k".utf8), now: now) == [.key("k")], "seed \(seed)")
    #expect(decoder.deadline == nil, "seed \(seed)")
  }
}
