import Glibc
import Machine
import TerminalTesting
import Testing

@testable import PermTUI

/// Tests with the real curses. Its state is per process, so they run one after the other.
@Suite("On a real terminal", .serialized)
enum RealTerminalTests {}

extension RealTerminalTests {
  @Suite("opening")
  struct Opening {
    @Test("the terminal is as before after closing it")
    func restoring() throws {
      let window = try TestWindow()
      let before = window.terminal.mode
      let terminal = try Terminal(window.options())
      terminal.paint(Grid(["hello"]))
      terminal.setTitle("a title")
      #expect(try window.picture().lines.first == "hello")
      #expect(window.terminal.mode != before)
      #expect(window.showsAlternateScreen)
      #expect(window.marksPastes)
      terminal.close()
      let after = try window.picture()
      #expect(after.cursor?.isVisible == true)
      #expect(window.terminal.mode == before)
      #expect(!window.showsAlternateScreen)
      #expect(!window.marksPastes)
    }

    @Test("typing is not echoed, also after a pause, and every key arrives at once, as it is")
    func typing() throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options())
      defer { terminal.close() }
      for _ in 1...2 {
        try window.takeOutput()
        let typed = Array("a\r\n\u{3}\u{11}\u{13}\u{16}\u{1a}\u{1c}é".utf8)
        window.terminal.send(typed)
        var found = [UInt8](repeating: 0, count: 100)
        #expect(read(terminal.options.input, &found, 100) == typed.count)
        #expect(found.prefix(typed.count) == typed[...])
        #expect(try window.takeOutput() == [])
        terminal.resume()
      }
    }

    @Test(
      "the cursor is at the start of the last row after closing it, on terminals without a second screen",
      arguments: ["linux", "vt220"], [true, false])
    func leaving(type: String, isInvalid: Bool) throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options(type: type))
      var grid = Grid(["one", "two"])
      grid.cursor = .init(position: Position(row: 1, column: 30))
      terminal.paint(grid)
      if isInvalid { terminal.invalidate() }
      terminal.close()
      let cursor = try window.picture().cursor
      #expect(cursor?.row == 23 && cursor?.column == 0)
    }

    @Test(
      "a terminal that cannot show a screen gets not one byte, and a message that says what to do",
      arguments: [
        (nil, TerminalError.typeUnset), ("", .typeUnset), ("xterm-nonesuch", .typeUnknown("xterm-nonesuch")),
        ("dumb", .typeTooSimple("dumb")),
      ])
    func refusing(type: String?, error: TerminalError) throws {
      let window = try TestWindow()
      let before = window.terminal.mode
      #expect(throws: error) { try Terminal(window.options(type: type)) }
      #expect(try window.takeOutput() == [])
      #expect(window.terminal.mode == before)
      #expect(error.description.contains("`permtui "))
    }

    @Test("a pipe is no terminal", arguments: [true, false])
    func pipes(isInput: Bool) throws {
      let window = try TestWindow()
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      defer { for end in ends { close(end) } }
      let options = window.options { if isInput { $0.input = ends[0] } else { $0.output = ends[1] } }
      #expect(throws: TerminalError.notATerminal(isInput ? "input" : "output")) { try Terminal(options) }
      #expect(try window.takeOutput() == [])
    }
  }

  @Suite("a crash")
  struct Crash {
    @Test("leaves the terminal as it was, and the reason can be read")
    func trapping() async throws {
      let window = try TestWindow(rows: 60)
      let before = window.terminal.mode
      let result = await #expect(processExitsWith: .failure) { [path = window.terminal.path as String] in
        var options = TerminalOptions(environment: [:])
        options.type = "xterm-256color"
        options.input = open(path, O_RDWR | O_NOCTTY)
        options.output = options.input
        dup2(options.output, STDERR_FILENO)
        let terminal = try Terminal(options)
        precondition(terminal.paint(Grid(["hello"], height: 60)))
        fatalError("the reason")
      }
      #expect([.signal(SIGILL), .signal(SIGTRAP)].contains(result?.exitStatus))
      #expect(try window.picture().contains("the reason"))
      #expect(window.terminal.mode == before)
      #expect(!window.showsAlternateScreen)
    }
  }

  @Suite("a terminal that takes nothing")
  struct HeldUp {
    @Test("keeps nobody waiting, and gets the rest when it accepts more")
    func kept() throws {
      let window = try TestWindow()
      let options = window.options()
      let output = TerminalOutput(options.output)
      output.send(Array("at once".utf8))
      #expect(output.heldUp == nil)
      tcflow(options.output, TCOOFF)
      output.send(Array(", kept".utf8))
      output.send(Array(", and more".utf8))
      #expect(output.heldUp != nil)
      tcflow(options.output, TCOON)
      output.sendRest()
      #expect(output.heldUp == nil)
      #expect(try String(decoding: window.takeOutput(), as: UTF8.self) == "at once, kept, and more")
    }

    @Test("does not keep the screen from pausing, returning and closing", .timeLimit(.minutes(5)))
    func closing() throws {
      let window = try TestWindow()
      let before = window.terminal.mode
      let terminal = try Terminal(window.options())
      let own = window.terminal.mode
      terminal.paint(Grid(["hello"]))
      tcflow(terminal.options.output, TCOOFF)
      terminal.paint(Grid(["held up"]))
      terminal.resume()
      #expect(window.terminal.mode == own)
      terminal.close()
      #expect(window.terminal.mode == before)
      tcflow(terminal.options.output, TCOON)
    }
  }

  @Suite("painting")
  struct Painting {
    /// Returns a grid with every role and attribute, wide characters, marks, and a cursor.
    private func sample(_ measure: any CellMeasure) -> Grid {
      var grid = Grid(
        ["┌─ Photos ● allowed ✕ …", "x日本 e\u{301} end"], width: 40, height: 10, measure: measure)
      for (row, role) in Style.Role.allCases.enumerated() {
        grid.put("\(role)", at: Position(row: row + 2, column: 0), style: Style(role))
        grid.put("bold", at: Position(row: row + 2, column: 12), style: Style(role, bold: true))
        grid.put("reverse", at: Position(row: row + 2, column: 20), style: Style(role, reverse: true))
        grid.put("under", at: Position(row: row + 2, column: 30), style: Style(role, underline: true))
      }
      grid.put("#", at: Position(row: 9, column: 39))
      grid.cursor = .init(position: Position(row: 3, column: 4), isVisible: true)
      return grid
    }

    @Test(
      "shows roles in the colours that the terminal has",
      arguments: [("xterm-256color", true), ("xterm", true), ("vt220", true), ("xterm-256color", false)])
    func colors(type: String, usesColor: Bool) throws {
      let window = try TestWindow(columns: 40, rows: 10)
      let terminal = try Terminal(window.options(type: type) { $0.usesColor = usesColor })
      defer { terminal.close() }
      terminal.paint(sample(terminal.measure))
      try Golden.check(window.picture(), usesColor ? "terminal/\(type)" : "terminal/no-colors")
    }

    @Test(
      "shows roles in red, green and blue on a terminal that takes colours so",
      arguments: ["xterm-direct", "xterm-direct2", "xterm-direct256", "konsole-direct", "tmux-direct"])
    func directColors(type: String) throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options(type: type))
      defer { terminal.close() }
      try window.takeOutput()
      var grid = Grid([])
      grid.put("31", at: Position(row: 0, column: 0), style: Style(.accent))
      terminal.paint(grid)
      let output = try String(decoding: window.takeOutput(), as: UTF8.self)
      #expect(output.replacing(":", with: ";").replacing(";;", with: ";").contains("38;2;0;135;175m"))
    }

    @Test("shows roles in the first eight colours if the person limits them, with direct colours, too")
    func limitedDirectColors() throws {
      let window = try TestWindow()
      let options = window.options(type: "xterm-direct") {
        $0.colors = .basic
        $0.background = .dark
      }
      let terminal = try Terminal(options)
      defer { terminal.close() }
      try window.takeOutput()
      var grid = Grid([])
      grid.put("cyan", at: Position(row: 0, column: 0), style: Style(.accent))
      terminal.paint(grid)
      #expect(try String(decoding: window.takeOutput(), as: UTF8.self).contains("\u{1b}[36m"))
    }

    @Test(
      "never sends a control character of a text",
      arguments: ["\u{1b}", "\u{7}", "\u{7f}", "\u{9b}", "\u{90}", "\r\n", "\u{e}"] as [Character])
    func controlCharacters(character: Character) throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options())
      defer { terminal.close() }
      var grid = Grid(size: terminal.size, measure: CarelessMeasure())
      for row in [0, 23] { grid.put("a\(character)[2Jb", at: Position(row: row, column: 0)) }
      terminal.paint(grid)
      let picture = try window.picture()
      #expect([0, 23].allSatisfy { picture.lines[$0].hasPrefix("a") && picture.lines[$0].hasSuffix("[2Jb") })
      #expect(window.bells == 0)
    }

    /// A measure with a mistake: it lets control characters through.
    private struct CarelessMeasure: CellMeasure {
      func width(of character: Character) -> Int? { 1 }
    }

    @Test("uses ASCII where the locale has no UTF-8")
    func ascii() throws {
      let window = try TestWindow(columns: 40, rows: 10)
      let terminal = try Terminal(window.options { $0.locale = "C" })
      defer { terminal.close() }
      terminal.paint(sample(terminal.measure))
      let output = try window.takeOutput()
      #expect(output.allSatisfy { $0 < 0x80 })
      #expect(try window.picture().lines.first == "+- Photos * allowed x ~")
    }

    @Test("sends nothing for a grid that is on the screen already")
    func unchanged() throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options())
      defer { terminal.close() }
      terminal.paint(Grid(["one", "two"]))
      try window.takeOutput()
      terminal.paint(Grid(["one", "two"]))
      #expect(try window.takeOutput() == [])
    }

    @Test("sends little when the selection moves")
    func selection() throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options())
      defer { terminal.close() }
      let lines = (0..<24).map {
        "  capability \($0)      allowed        backup, thumbs, photos.sh        14:03"
      }
      func grid(selected row: Int) -> Grid {
        var grid = Grid(lines)
        grid.restyle(Rect(row: row, column: 0, width: 80, height: 1)) { $0 = Style($0.role, reverse: true) }
        grid.put(">", at: Position(row: row, column: 0), style: Style(reverse: true))
        grid.cursor = .init(position: Position(row: row, column: 0))
        return grid
      }
      terminal.paint(grid(selected: 3))
      try window.takeOutput()
      terminal.paint(grid(selected: 4))
      let output = try window.takeOutput()
      #expect(output.count <= 250, "\(output.count) bytes")
    }

    @Test(
      "sends little when the selection moves in a real list", arguments: ["c", "p", "m", "l", "?"] as [Key])
    func listSelection(key: Key) throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options())
      defer { terminal.close() }
      var data = Samples.data
      data.journal = Samples.journal
      var story = Story(data: data, measure: terminal.measure)
      story.press(key, "j")
      func paint() {
        var grid = Grid(size: terminal.size, measure: terminal.measure)
        ListView(state: story.state).draw(into: &grid)
        terminal.paint(grid)
      }
      paint()
      try window.takeOutput()
      story.press("j")
      paint()
      let output = try window.takeOutput()
      #expect(output.count <= 350, "\(output.count) bytes")
    }

    @Test("sends little for 18 keys at once, which scroll the list to the capabilities that are not there")
    func manyKeys() throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options())
      defer { terminal.close() }
      var story = Story(data: Samples.lacking, measure: terminal.measure)
      func paint() throws -> (count: Int, picture: ScreenPicture) {
        terminal.paint(story.grid)
        return (try window.takeOutput().count, try window.picture())
      }
      story.press("G", "g")
      _ = try paint()
      story.happen(.keys(Array(repeating: "j", count: 18)))
      #expect(story.state.list.selection == .absent)
      let (count, changed) = try paint()
      #expect(count <= 1_000, "\(count) bytes")
      terminal.invalidate()
      try changed.expectSame(as: paint().picture)
    }

    @Test(
      "sends the words that differ and no more when details change, and the picture is the one of a new start"
    )
    func details() throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options())
      defer { terminal.close() }
      func grid(_ word: String) -> Grid {
        var grid = Grid(size: terminal.size, measure: terminal.measure)
        for row in 0..<6 {
          grid.put("program-\(row)", at: Position(row: row, column: 3))
          grid.put(word, at: Position(row: row, column: 17), style: Style(.allowed))
          grid.put("forever", at: Position(row: row, column: 40))
        }
        return grid
      }
      terminal.paint(grid("add only"))
      let before = try window.takeOutput()
      terminal.paint(grid("use"))
      let output = try window.takeOutput()
      // Per row, the cursor's position, eight characters or fewer, the colour and its end.
      #expect(output.count <= 6 * 40, "\(output.count) of \(before.count) bytes")
      let changed = try window.picture()
      terminal.invalidate()
      terminal.paint(grid("use"))
      try changed.expectSame(as: window.picture())
    }

    @Test("^L draws everything anew, whatever garbage is on the screen")
    func invalidating() throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options())
      defer { terminal.close() }
      terminal.paint(Grid(["one", "two"]))
      WholeWrite.write(Array("\u{1b}[5;5Hgarbage".utf8), to: terminal.options.output)
      #expect(try window.picture().contains("garbage"))
      terminal.invalidate()
      terminal.paint(Grid(["one", "two"]))
      #expect(try window.picture().lines.prefix(6) == ["one", "two", "", "", "", ""])
    }

    @Test("draws all rows, although another program lets only some of them scroll", arguments: [3, 20, 40])
    func scrollRegion(rows: Int) throws {
      let window = try TestWindow(rows: 40)
      WholeWrite.write(Array("\u{1b}[1;\(rows)r\u{1b}[?6h\u{1b}[4h".utf8), to: window.options().output)
      let terminal = try Terminal(window.options())
      defer { terminal.close() }
      for change in ["old", "new"] {
        let lines = (1...40).map { "\(change) \($0)" }
        terminal.paint(Grid(lines, height: 40))
        #expect(try window.picture().lines == lines)
      }
    }

    @Test(
      "uses at most 1 000 rows and columns, whatever a window claims to have",
      arguments: [(65_535, 65_535), (1, 65_535), (65_535, 1), (80, 65_535), (5_000, 5_000), (1_001, 999)])
    func hugeWindow(columns: Int, rows: Int) throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options())
      defer { terminal.close() }
      terminal.paint(Grid(["before"]))
      window.terminal.resize(columns: columns, rows: rows)
      terminal.resize()
      #expect(terminal.size == Size(width: min(columns, 1_000), height: min(rows, 1_000)))
      window.terminal.resize(columns: 80, rows: 24)
      terminal.resize()
      terminal.paint(Grid(["after"]))
      #expect(try window.picture().lines.first == "after")
    }

    @Test(
      "takes the size of the window, smaller and larger, down to one cell",
      arguments: [(120, 40), (20, 5), (1, 1)])
    func resizing(columns: Int, rows: Int) throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options())
      defer { terminal.close() }
      terminal.paint(Grid(["before"]))
      try window.takeOutput()
      window.resize(columns: columns, rows: rows)
      terminal.resize()
      #expect(terminal.size == Size(width: columns, height: rows))
      var grid = Grid(["now"], width: columns, height: rows)
      grid.put("#", at: Position(row: rows - 1, column: columns - 1))
      terminal.paint(grid)
      #expect(try window.picture().lines == grid.picture.lines)
      grid.put("then", at: Position(row: rows / 2, column: columns / 2))
      terminal.paint(grid)
      #expect(try window.picture().lines == grid.picture.lines)
      #expect(!terminal.paint(Grid(["wrong"], width: columns + 1, height: rows)))
      #expect(try window.picture().lines == grid.picture.lines)
    }
  }

  @Suite("title and bell")
  struct Signs {
    @Test("are set if wanted", arguments: [true, false])
    func wanted(isWanted: Bool) throws {
      let window = try TestWindow()
      let options = window.options {
        $0.setsTitle = isWanted
        $0.ringsBell = isWanted
      }
      let terminal = try Terminal(options)
      defer { terminal.close() }
      terminal.setTitle("2 wait\u{1b}]2;evil\u{7}")
      terminal.ringBell()
      // Both come with the next frame, in one piece.
      try window.takeOutput()
      #expect(window.title.isEmpty && window.bells == 0)
      terminal.paint(Grid(["now"]))
      try window.takeOutput()
      #expect(window.title == (isWanted ? "2 wait ]2;evil " : ""))
      #expect(window.bells == (isWanted ? 1 : 0))
    }

    @Test("are set in tmux and screen, too", arguments: ["tmux-256color", "screen-256color", "screen"])
    func multiplexers(type: String) throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options(type: type))
      terminal.setTitle("2 waiting")
      terminal.paint(Grid(["now"]))
      try window.takeOutput()
      #expect(window.title == "2 waiting")
      terminal.close()
      try window.takeOutput()
      #expect(window.title == "", "no title of ours stays behind")
    }

    @Test("a terminal without a title is sent none")
    func console() throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options(type: "linux"))
      defer { terminal.close() }
      terminal.setTitle("a title")
      #expect(try !window.takeOutput().contains(UInt8(ascii: "]")))
    }
  }
}
