import PermModel
import Testing

@testable import PermTUI

@Suite("The output of commands")
struct OutputTests {
  private let measure = TestCellMeasure()

  @Test("Columns line up by cells, without blanks at the ends of lines")
  func table() {
    var table = Table("Program", "May", "Note")
    table.add("backup", "read", "")
    table.add("写真", "add only", "weekly")
    #expect(
      table.rendered(measure: measure, colors: .none) == """
        Program  May       Note
        backup   read
        写真     add only  weekly

        """)
  }

  @Test(
    "A table that is too wide loses columns, then the starts of paths, then the ends of names, each with a mark",
    arguments: [
      (70, "Program  File                     Answer   By"), (60, "Program  File                     Answer"),
      (36, "Program  File                Answer"),
      (28, "Program  File        Answer"), (20, "Program  Answer"),
    ])
  func narrow(width: Int, heading: String) {
    var table = Table(
      "Program", "File", "Answer", "By",
      fitting: [.drop("By"), .shortenStart("File"), .shortenEnd("Program"), .drop("File")])
    table.add("backup", "/home/ana/bin/backup.sh", "allowed", "you, here, on a screen")
    let lines = table.rendered(measure: measure, colors: .none, width: width).split(separator: "\n")
    #expect(lines.allSatisfy { measure.width(of: $0) <= width }, "\(lines)")
    #expect(lines[0] == heading)
    #expect(width >= 60 || width < 28 || lines[1].contains("…") && lines[1].contains("up.sh"), "\(lines)")
  }

  @Test("A line that is too long for the terminal is broken after blanks, and nothing of it is lost")
  func wrapped() throws {
    let sink = RecordedSink()
    let console = Console(
      data: sink, messages: sink, isTerminal: true, colors: .none, measure: measure, width: 20)
    try console.print(wrapping: "one two three four five six", indent: 2)
    try console.print(wrapping: "short", indent: 2)
    #expect(sink.text == "one two three four\n  five six\nshort\n")
  }

  @Test("Findings and messages are broken after blanks, too, and what follows is indented")
  func wrappedFinding() throws {
    let sink = RecordedSink()
    var console = Console(
      data: sink, messages: sink, isTerminal: true, colors: .none, measure: measure, width: 30)
    console.messageWidth = 30
    try console.print(
      StoreCheckup.Finding(
        level: .ok, what: "the runtime folder /run/user/0 is yours alone",
        advice: "Log in through systemd-logind again."))
    console.note("Nothing is decided about that.\nA program that was told yes may still be running.")
    #expect(
      sink.text == """
        ok       the runtime folder
                 /run/user/0 is yours
                 alone
                 Log in through
                 systemd-logind again.
        Nothing is decided about that.
        A program that was told yes
        may still be running.

        """)
  }

  @Test("On a narrow terminal, no line of the status is broken inside a word")
  func narrowStatus() {
    let shell = TestShell()
    shell.run("allow", "backup", "photos")
    let lines = shell.run(["status"], width: 60).lines
    #expect(lines.allSatisfy { $0.count <= 60 }, "\(lines)")
    let told = "9 more are not on this machine; permtui capabilities says  why."
    #expect(lines.suffix(2).joined() == told, "\(lines)")
  }

  @Test("Colours surround the text and never the blanks, so columns stay where they are")
  func colors() {
    var table = Table("A", "B")
    table.add(.init("no", .denied), "x")
    #expect(
      table.rendered(measure: measure, colors: PrintedColors(environment: [:]))
        == "\u{1b}[1mA\u{1b}[0m   \u{1b}[1mB\u{1b}[0m\n\u{1b}[31mno\u{1b}[0m  x\n")
  }

  @Test("Commands print in the dashboard's colours, and where few are known in none that may not be readable")
  func palette() {
    let rich = PrintedColors(environment: ["TERM": "tmux-256color"])
    #expect(rich.colored("yes", as: .allowed) == "\u{1b}[38;5;28myes\u{1b}[0m")
    let named = PrintedColors(environment: ["TERM": "xterm", "COLORTERM": "truecolor"])
    #expect(named.colored("yes", as: .allowed) == "\u{1b}[38;5;28myes\u{1b}[0m")
    #expect(PrintedColors(environment: ["TERM": "xterm"]).colored("yes", as: .allowed) == "yes")
    let dark = PrintedColors(environment: ["TERM": "xterm", "COLORFGBG": "15;0"])
    #expect(dark.colored("yes", as: .allowed) == "\u{1b}[32myes\u{1b}[0m")
    #expect(PrintedColors.none.colored("no", as: .denied) == "no")
  }

  @Test("No cell of a table can send a control or turn the line around")
  func hostileCell() {
    var table = Table("Program")
    table.add(.init("evil\u{1b}]0;x\u{7}\nbackup\u{202e}"))
    let text = table.rendered(measure: measure, colors: .none)
    #expect(text == "Program\nevil\\u{1b}]0;x\\u{7}\\nbackup\\u{202e}\n")
  }

  @Test("JSON has sorted keys and escapes what could deceive")
  func json() {
    let document: JSON = [
      "b": ["x\u{1b}\u{202e}\"\\\n", 1, true, .null], "a": .object(["emoji": "🎥\u{e0041}"]),
    ]
    #expect(
      document.description
        == #"{"a":{"emoji":"🎥\udb40\udc41"},"b":["x\u001b\u202e\"\\\n",1,true,null]}"#)
  }

  @Test(
    "Colours follow NO_COLOR and TERM",
    arguments: [
      ([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true), (["TERM": "dumb"], false),
    ])
  func noColor(environment: [String: String], expected: Bool) {
    #expect(Console.allowsColor(environment) == expected)
  }
}
