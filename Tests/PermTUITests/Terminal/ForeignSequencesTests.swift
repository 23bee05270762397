import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

/// The sequences that terminals send by themselves, or for keys that this program does not have.
enum ForeignSequences {
  static let all: [[UInt8]] =
    mouse + eightBits + singleShifts + rxvt + vt52 + otherProtocols + replies + alternates

  private static let letters = Array("adfnqsuxyAHMS!16".utf8)
  private static let escape: UInt8 = 0x1b

  private static func bytes(_ text: String) -> [UInt8] { Array("\u{1b}\(text)".utf8) }

  /// Clicks in each row and column whose number is a printable character, and in distant ones; in all five codings.
  private static let mouse: [[UInt8]] = {
    var list: [[UInt8]] = []
    for place in UInt8(0x21)...0x7e {
      list.append(bytes("[M ") + [place, 0x21])
      list.append(bytes("[M#!") + [place])
      list.append(bytes("[t") + [place, 0x21])
    }
    for letter in letters {
      list.append(bytes("[T") + [letter, letter, 0x21, letter, letter, 0x21])
      list.append(bytes("[M`") + [0xe0, letter])
      list.append(bytes("[M ") + [0x00, letter])
      // The first column beyond 95 in two bytes (mode 1005), and a row after it.
      list.append(bytes("[M ") + [0xc2, 0x80 + letter % 32, letter])
      list.append(bytes("[M ") + [0xc3, letter])
      list.append(bytes("[<0;\(letter);\(letter)M"))
      list.append(bytes("[<0;\(letter);\(letter)m"))
      list.append(bytes("[32;\(letter);\(letter)M"))
      list.append(bytes("[1;2;\(letter);\(letter);1&w"))
    }
    return list
  }()

  private static let eightBits: [[UInt8]] = {
    var list: [[UInt8]] = []
    for body in ["?1;2c", "24;80R", "M !!", "<0;1;1M", "27;2;97~", "200$y", "t!!"] {
      list.append([0x9b] + Array(body.utf8))
      list.append(Array("\u{9b}\(body)".utf8))
    }
    for introducer in [0x90, 0x98, 0x9d, 0x9e, 0x9f] as [UInt8] {
      list.append([introducer] + Array("adq!".utf8) + [0x9c])
      list.append([introducer] + Array("adq!".utf8) + [escape, 0x5c])
      list.append([0xc2, introducer] + Array("adq!".utf8) + [0xc2, 0x9c])
    }
    return list + [[0x8f, 0x32, 0x50], [0x8f, 0x6a], [0x84], [0x9c]]
  }()

  private static let singleShifts = (2...16).flatMap { modifiers in
    "PQRSABCDHFMXqjm".flatMap { [bytes("O\(modifiers)\($0)"), bytes("O1;\(modifiers)\($0)")] }
  }

  private static let rxvt = ["", "\u{1b}"].flatMap { meta in
    [2, 3, 5, 7, 8, 11, 24, 34].flatMap { number in
      ["$", "^", "@"].map { bytes("\(meta)[\(number)\($0)") }
    } + "abcd".flatMap { [bytes("\(meta)[\($0)"), bytes("\(meta)O\($0)")] }
  }

  private static let vt52 =
    "pqrstuvwxylmnM".map { bytes("?\($0)") } + "ABCDHQRSZ".map { bytes("\($0)") } + [
      bytes("/Z"), bytes("(0"), bytes("#8"), bytes(" F"),
    ]

  /// modifyOtherKeys in its two forms, kitty's protocol, and Windows' input mode.
  private static let otherProtocols = letters.flatMap { code in
    [2, 3, 4, 6, 7, 9].flatMap { [bytes("[27;\($0);\(code)~"), bytes("[\(code);\($0)u")] } + [
      bytes("[\(code)u"), bytes("[\(code);1:1u"), bytes("[\(code);1:2u"), bytes("[\(code);1:3u"),
      bytes("[\(code):\(code);1;\(code)u"), bytes("[65;30;\(code);1;0;1_"),
    ]
  }

  private static let replies = [
    "[?62;1;4c", "[>41;354;0c", "[=0;1c", "[24;80R", "[?24;80R", "[0n", "[?997;1n", "[?2026;2$y", "[4;1$y",
    "[8;24;80t", "[4;600;800t", "[48;24;80;600;800t", "[?1u", "[2;1;1;112;112;1;0x", "[1$", "[?1;3;256S",
    "]11;rgb:ffff/aaaa/dddd\u{7}", "]4;1;rgb:aa/dd/qq\u{1b}\\", "]l✓ quit !\u{1b}\\", "]L!\u{1b}\\",
    "]52;c;YWRx\u{7}", "P1+r544e=787465726d\u{1b}\\", "P1$r0m\u{1b}\\", "P>|a d q!\u{1b}\\",
    "P!|00000000\u{1b}\\",
    "_Gi=1;OK\u{1b}\\", "^a\u{1b}\\", "Xa\u{1b}\\", "[I", "[O", "[201~",
  ].map(bytes)

  /// Alt with every printable character but those that begin a sequence, and Alt with keys that have one.
  private static let alternates =
    (UInt8(0x20)...0x7e).filter { !"OP[]X^_".utf8.contains($0) }.map { [escape, $0] }
    + ["[A", "[B", "OA", "OP", "[5~", "[1;3A", "[15~", "[Z", "OM", "Oq"].map { bytes("\u{1b}\($0)") }
}

@Suite("Input that a terminal sends by itself")
struct ForeignSequencesTests {
  /// Returns the events of a sequence that comes in pieces of this many bytes, and of a key long after it.
  private func events(_ sequence: [UInt8], pieces: Int) -> [InputEvent] {
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    var now: Int64 = 0
    for start in stride(from: 0, to: sequence.count, by: pieces) {
      events += decoder.expire(now: now)
      events += decoder.feed(sequence[start..<min(start + pieces, sequence.count)], now: now)
      now += 5
    }
    now += 2_000
    return events + decoder.expire(now: now) + decoder.feed(Array("k".utf8), now: now)
  }

  @Test("is no key, in whatever pieces it comes, and the key after it is one", arguments: [1, 2, 3, 100])
  func noKey(pieces: Int) {
    #expect(ForeignSequences.all.count > 900)
    for sequence in ForeignSequences.all {
      let found = events(sequence, pieces: pieces)
      #expect(found.last == .key("k"), "\(sequence)")
      let keys = found.dropLast().filter { if case .key = $0 { true } else { false } }
      #expect(keys.isEmpty, "\(String(decoding: sequence, as: UTF8.self).debugDescription): \(found)")
    }
  }

  /// Sends a sequence as one burst, and returns the effects.
  private func effects(of sequence: [UInt8], at alert: Alert?) -> [Effect] {
    var story = Story()
    if let alert { story.show(alert) } else { story.press("p", "j") }
    _ = story.takeEffects()
    var decoder = InputDecoder()
    let burst = decoder.feed(sequence, now: 0)
    for action in DashboardProgram.actions(of: burst) { story.happen(action) }
    story.wait(1_500)
    for action in DashboardProgram.actions(of: decoder.expire(now: 1_500)) { story.happen(action) }
    story.wait(1_500)
    let isOpen = story.desk.form?.alertID == alert?.id
    #expect(isOpen, "\(String(decoding: sequence, as: UTF8.self).debugDescription)")
    return story.takeEffects().deeds
  }

  @Test("does nothing in a list")
  func list() {
    for sequence in ForeignSequences.all {
      let found = effects(of: sequence, at: nil)
      #expect(found.isEmpty, "\(String(decoding: sequence, as: UTF8.self).debugDescription): \(found)")
    }
  }

  @Test("does nothing at an alert that is armed")
  func alert() {
    for sequence in ForeignSequences.all {
      let found = effects(of: sequence, at: Samples.alert())
      #expect(found.isEmpty, "\(String(decoding: sequence, as: UTF8.self).debugDescription): \(found)")
    }
  }
}

@Suite("Keys that came with other input")
struct AccompaniedKeyTests {
  /// Keys of lists that do more than to show something.
  private static let deeds: [Key] = ["!", "q", "u", "U", "x", "H"]

  @Test("do nothing in a list, and say so", arguments: deeds)
  func accompanied(key: Key) {
    for others in [["j", key], [key, "j"], [key, key]] as [[Key]] {
      var story = Story()
      story.happen(.keys(others))
      #expect(story.takeEffects().deeds.isEmpty, "\(others)")
      #expect(story.desk.form == nil)
    }
    var story = Story()
    story.happen(.keys([key], amidOthers: true))
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.desk.report?.text.hasPrefix("\(key) did not count") == true)
  }

  @Test("move the selection all the same")
  func movement() {
    var story = Story()
    let before = story.state.list.selection
    story.happen(.keys(["j", "j"], amidOthers: true))
    #expect(story.state.list.selection != before)
  }

  @Test("and ^C always quits")
  func interrupt() {
    var story = Story()
    story.happen(.keys(["j", .control("c")], amidOthers: true))
    #expect(story.takeEffects().contains(.quit(isInterrupt: true)))
  }
}

@Suite("While another window has the focus")
struct AwayTests {
  @Test("no key counts, in a list or at an alert, until the focus is back", arguments: [true, false])
  func away(hasAlert: Bool) {
    var story = Story()
    if hasAlert { story.show(Samples.alert()) }
    _ = story.takeEffects()
    story.happen(.unfocused)
    for key in ["!", "a", "d", "q", .escape, .enter] as [Key] { story.strike(key) }
    #expect(story.takeEffects().deeds.isEmpty)
    #expect((story.desk.form != nil) == hasAlert)
    story.happen(.focused)
    story.wait(1_200)
    story.strike(hasAlert ? "d" : "!")
    #expect(!story.takeEffects().deeds.isEmpty)
  }

  @Test("a hint says so after two seconds of keys, at an alert, too", arguments: [true, false])
  func hint(hasAlert: Bool) {
    var story = Story()
    if hasAlert { story.show(Samples.alert()) }
    story.happen(.unfocused)
    story.press("j")
    #expect(!story.grid.picture.text.contains("Another window"))
    story.wait(2_000)
    story.press("j")
    #expect(
      story.grid.picture.text.contains("Another window has the focus, so no key counts. ^L asks again."))
    story.happen(.focused)
    #expect(!hasAlert || !story.grid.picture.text.contains("Another window"))
  }

  @Test("a press that was under way does not count")
  func press() {
    var story = Story()
    story.show(Samples.alert())
    story.happen(.keys(["a"]))
    story.wait(50)
    story.happen(.unfocused)
    story.wait(1_000)
    #expect(story.takeEffects().deeds.isEmpty)
  }

  @Test("^C quits all the same")
  func interrupt() {
    var story = Story()
    story.happen(.unfocused)
    story.happen(.keys([.control("c")]))
    #expect(story.takeEffects().contains(.quit(isInterrupt: true)))
  }

  @Test("and a paste without an end is named, and how it ends", arguments: [true, false])
  func stalled(hasAlert: Bool) {
    var story = Story()
    if hasAlert { story.show(Samples.alert()) }
    story.happen(.stalled)
    #expect(story.grid.picture.text.contains("A paste has no end, so no key counts. Esc ends it."))
    story.happen(.noise)
    story.press("j")
    #expect(!story.grid.picture.text.contains("A paste has no end"))
  }
}
