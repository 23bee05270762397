extension KeyTable {
  /// The bindings that are in effect unless the configuration file changes them.
  static let standard: [KeyBinding] = answering + lists + views + program

  private static let answering: [KeyBinding] = [
    KeyBinding(.deny, ["d", "n"], in: [.request, .change], "deny", "deny it", rank: 1),
    KeyBinding(.allow, ["a", "y"], in: [.request, .change], "allow", "allow it", rank: 2),
    KeyBinding(
      .keepSuggested, ["K"], in: [.request], "keep it",
      "allow what you allowed several times today, and keep that for as long as the alert suggests", rank: 2),
    KeyBinding(
      .setAside, [.escape], in: [.request], "set aside",
      "answer later: the program goes on waiting", rank: 4),
    KeyBinding(.close, [.escape, "q"], in: [.change], "cancel", "change nothing", rank: 3),
    KeyBinding(
      .keepFirst, ["1"], in: [.request, .change, .together], "keep for",
      "keep the answer for as long as this choice says", rank: 5),
    KeyBinding(.keepSecond, ["2"], in: [.request, .change, .together], "", "second choice"),
    KeyBinding(.keepThird, ["3"], in: [.request, .change, .together], "", "third choice"),
    KeyBinding(.keepFourth, ["4"], in: [.request, .change, .together], "", "fourth choice"),
    KeyBinding(.keepFifth, ["5"], in: [.request, .change, .together], "", "fifth choice"),
    KeyBinding(.keepSixth, ["6"], in: [.request, .change, .together], "", "sixth choice"),
    KeyBinding(
      .denyAndMute, ["M"], in: [.request], "deny and mute",
      "deny, and deny this program's further requests for an hour", rank: 6),
    KeyBinding(
      .denyRest, ["D"], in: [.request], "deny the run",
      "behind walls: deny, and deny all further requests until the run ends", rank: 6),
    KeyBinding(
      .widen, ["s"], in: [.request], "wider", "let the answer cover more: the next wider scope",
      rank: 3),
    KeyBinding(.narrowCover, ["S"], in: [.request], "", "let the answer cover less again"),
    KeyBinding(
      .narrow, ["r"], in: [.request, .change], "narrow", "allow less than was asked for",
      rank: 8),
    KeyBinding(
      .note, ["t"], in: [.request, .change], "note", "write a note beside the answer",
      rank: 9),
    KeyBinding(
      .lookAhead, ["w"], in: [.request, .confirmation, .notice], "waiting",
      "put it back in line, and see what else waits", rank: 7),
    KeyBinding(
      .unfold, ["i"], in: [.request], "who", "all that is known about the program, or one line", rank: 7),
    KeyBinding(.confirm, ["y"], in: [.confirmation, .together], "yes", "do it", rank: 2),
    KeyBinding(.refuse, ["n", "d"], in: [.confirmation, .together], "no", "do not do it", rank: 1),
    KeyBinding(
      .setAside, [.escape, "q"], in: [.confirmation, .together], "set aside", "decide later", rank: 3),
    KeyBinding(.close, [.escape, "q"], in: [.notice], "close", "close the notice", rank: 2),
    KeyBinding(.press, [.enter], in: [.notice], "close", "close the notice", rank: 1),
    KeyBinding(
      .press, [.enter], in: [.request, .change, .together, .confirmation], "press",
      "press the button in focus"),
    KeyBinding(
      .nextButton, [.tab, .right], in: [.request, .change, .together, .confirmation], "next button",
      "move to the next button"),
    KeyBinding(
      .previousButton, [.backTab, .left], in: [.request, .change, .together, .confirmation],
      "previous button",
      "move to the previous button"),
    KeyBinding(.back, [.escape, "q", "w", "?"], in: [.reading], "back", "back to the alert", rank: 1),
  ]

  private static let scrolling: [KeyContext] = [
    .list, .request, .change, .together, .confirmation, .notice, .reading,
  ]

  private static let lists: [KeyBinding] = [
    KeyBinding(.open, [.enter], in: [.capabilities, .programs, .matrix], "open", "open it", rank: 1),
    KeyBinding(.open, [.enter], in: [.waiting], "open", "open the request, wherever it is in line", rank: 1),
    KeyBinding(.mark, [" "], in: [.waiting], "mark", "mark a request, to answer several at once", rank: 2),
    KeyBinding(
      .deny, ["d"], in: [.waiting], "deny", "deny the marked requests, after a list of them", rank: 3),
    KeyBinding(
      .allow, ["a"], in: [.waiting], "allow",
      "allow the marked requests, after a list of them", rank: 4),
    KeyBinding(.open, [.enter], in: [.operations], "answer", "show the request that waits", rank: 1),
    KeyBinding(.open, [.enter], in: [.capability, .program], "change", "change the decision", rank: 1),
    KeyBinding(.open, [.enter], in: [.journal], "program", "open the program", rank: 1),
    KeyBinding(
      .open, [.enter], in: [.day], "list", "list the requests of the program; open the program of a request",
      rank: 1),
    KeyBinding(
      .open, [.enter], in: [.commands], "keep", "keep the line, or the widest that is offered for it", rank: 1
    ),
    KeyBinding(.left, [.left], in: [.day], "day before", "the day before", rank: 2),
    KeyBinding(.right, [.right], in: [.day], "day after", "the day after", rank: 3),
    KeyBinding(.askNow, ["A"], in: [.capability], "ask now", "ask for it, as a program would", rank: 12),
    KeyBinding(
      .runExample, ["e"], in: [.capability], "example", "run the example: use it once, for something small",
      rank: 13),
    KeyBinding(
      .forget, ["x"], in: [.capabilities, .programs], "forget",
      "take the decision back: undecided again", rank: 30),
    KeyBinding(
      .forget, ["x"], in: [.capability, .program], "forget",
      "take the decision back: undecided again", rank: 14),
    KeyBinding(
      .forgetUnused, ["z"], in: [.programs], "unused",
      "forget the allows that no program used for 90 days, after a list of them", rank: 77),
    KeyBinding(
      .open, [.enter], in: [.help], "run", "run the key of the line, in the view behind the help", rank: 2),
    KeyBinding(
      .quit, ["q"], in: [.help], "first view", "to the first view; Esc goes back to the view before", rank: 1),
    KeyBinding(.down, [.down, "j"], in: scrolling, "down", "one row down"),
    KeyBinding(.up, [.up, "k"], in: scrolling, "up", "one row up"),
    KeyBinding(.pageDown, [" ", .pageDown, .control("f")], in: scrolling, "page down", "one page down"),
    KeyBinding(.pageUp, [.pageUp, .control("b")], in: scrolling, "page up", "one page up"),
    KeyBinding(.halfPageDown, [.control("d")], in: scrolling, "half page down", "half a page down"),
    KeyBinding(.halfPageUp, [.control("u")], in: scrolling, "half page up", "half a page up"),
    KeyBinding(.first, ["g", .home], in: scrolling, "first", "to the first row"),
    KeyBinding(.last, ["G", .end], in: scrolling, "last", "to the last row"),
    KeyBinding(.left, [.left], in: [.matrix], "left", "one column to the left"),
    KeyBinding(.right, [.right], in: [.matrix], "right", "one column to the right"),
    KeyBinding(
      .details, [.tab, .backTab], in: [.list], "details", "scroll the details with the keys; again: the list",
      rank: 55),
    KeyBinding(.find, ["/"], in: [.list], "find", "show only rows that hold a text", rank: 50),
    KeyBinding(.nextMatch, ["n"], in: [.list], "next", "the next row that was found"),
    KeyBinding(.previousMatch, ["N"], in: [.list], "previous", "the previous row that was found"),
    KeyBinding(
      .copy, ["Y"], in: [.list, .request], "copy", "copy the value to the terminal's clipboard (OSC 52)"),
    KeyBinding(
      .read, ["v"], in: [.list, .request], "read", "read all of it in the pager, which PAGER names"),
    KeyBinding(.sort, ["s"], in: [.list], "sort", "sort by the next column"),
    KeyBinding(.reverseSort, ["S"], in: [.list], "reverse", "turn the order round"),
    KeyBinding(
      .hold, ["H"], in: [.list], "hold", "hold alerts back; again to end that",
      rank: 75),
    KeyBinding(.refresh, ["r", .function(5)], in: [.list], "refresh", "reload and sort"),
  ]

  private static let views: [KeyBinding] = [
    KeyBinding(.waiting, ["w"], in: [.list], "waiting", "what waits for an answer", rank: 20),
    KeyBinding(
      .undo, ["u"], in: [.list], "undo",
      "undo the last change",
      rank: 40),
    KeyBinding(
      .redo, ["U", .control("r")], in: [.list], "redo", "make the change that was undone last again"),
    KeyBinding(.matrix, ["m"], in: [.list], "matrix", "programs against capabilities", rank: 60),
    KeyBinding(.capabilities, ["c"], in: [.list], "capabilities", "the first view"),
    KeyBinding(.programs, ["p"], in: [.list], "programs", "program by program", rank: 72),
    KeyBinding(.operations, ["o"], in: [.list], "operations", "what runs, what waits for what", rank: 74),
    KeyBinding(.journal, ["l"], in: [.list], "journal", "what happened", rank: 73),
    KeyBinding(
      .day, ["t"], in: [.list], "day", "what became of the requests of today, program by program", rank: 76),
    KeyBinding(
      .commands, ["C"], in: [.list], "commands", "the command lines that agents asked for, to keep some",
      rank: 78),
    KeyBinding(
      .panic, ["!"], in: [.list], "panic", "deny everything new and suspend all allows; again to lift it",
      rank: 71),
    KeyBinding(
      .panic, ["!"], in: [.request, .change, .together, .confirmation, .notice], "panic",
      "deny this and everything new, and suspend all allows"),
    KeyBinding(.back, [.escape], in: [.list], "back", "one level back; ends a filter"),
    KeyBinding(
      .quit, ["q"], in: [.list], "quit", "to the first view, and from there quit; twice if anything waits",
      rank: 70),
  ]

  private static let program: [KeyBinding] = [
    KeyBinding(.help, ["?", .function(1)], in: [.anywhere], "help", "the keys of this place", rank: 90),
    KeyBinding(.interrupt, [.control("c")], in: [.anywhere], "quit", "quit; what waits goes on waiting"),
    KeyBinding(.suspend, [.control("z")], in: [.anywhere], "suspend", "to the shell; fg comes back"),
    KeyBinding(.repaint, [.control("l")], in: [.anywhere], "repaint", "redraw the screen"),
  ]
}
