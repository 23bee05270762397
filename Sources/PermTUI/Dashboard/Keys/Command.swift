/// A command that a key can run. The configuration file names commands by their raw values.
enum Command: String, CaseIterable, Sendable {
  // Navigation.
  case down, up, left, right
  case pageDown = "page-down"
  case pageUp = "page-up"
  case halfPageDown = "half-page-down"
  case halfPageUp = "half-page-up"
  case first, last
  case open, back
  case details

  // Views.
  case capabilities, programs, matrix, waiting, operations, journal, day, commands, help

  // Lists.
  case find, sort, refresh, copy
  case read
  case nextMatch = "next-match"
  case previousMatch = "previous-match"
  case reverseSort = "reverse-sort"

  // Changes.
  case undo, redo, forget, panic
  case mark, hold
  case forgetUnused = "forget-unused"
  case askNow = "ask-now"
  case runExample = "run-example"

  // Answers.
  case allow, deny, press, narrow, note, confirm, refuse, close
  case widen
  case narrowCover = "narrow-scope"
  case denyAndMute = "deny-and-mute"
  case denyRest = "deny-rest"
  case keepSuggested = "keep-suggested"
  case setAside = "set-aside"
  case unfold
  case nextButton = "next-button"
  case previousButton = "previous-button"
  case lookAhead = "look-ahead"
  case keepFirst = "keep-1"
  case keepSecond = "keep-2"
  case keepThird = "keep-3"
  case keepFourth = "keep-4"
  case keepFifth = "keep-5"
  case keepSixth = "keep-6"

  // The program and its terminal. The event loop itself handles suspending and repainting.
  case quit, interrupt, suspend, repaint

  /// The commands that choose how long to keep an answer, in the order in which the screen lists the choices.
  static let keepFor: [Command] = [
    .keepFirst, .keepSecond, .keepThird, .keepFourth, .keepFifth, .keepSixth,
  ]
}

extension Command {
  /// Returns the number of rows by which the command moves the selection down in a list of `count` rows. The number is
  /// negative for up, and `nil` if the command does not move the selection.
  func movement(page: Int, of count: Int) -> Int? {
    switch self {
    case .down: 1
    case .up: -1
    case .pageDown: page
    case .pageUp: -page
    case .halfPageDown: max(1, page / 2)
    case .halfPageUp: -max(1, page / 2)
    case .first: -count
    case .last: count
    default: nil
    }
  }

  /// Whether the command always keeps its key, because the event loop handles it or because it must always work.
  var isFixed: Bool {
    switch self {
    case .interrupt, .suspend, .repaint: true
    default: false
    }
  }

  /// Returns whether a form carries out this command as soon as `key` is pressed. Such a command never allows
  /// or denies anything.
  func isObeyedAtOnce(by key: Key) -> Bool {
    switch self {
    case .help: true
    case .setAside, .close: key == .escape
    default: movement(page: 1, of: 1) != nil
    }
  }

  /// Whether the command does more in a list than show something. Its key then counts only if no other input came with
  /// it, because words, and reports of a terminal, were not meant for it.
  var isDeed: Bool {
    switch self {
    case .panic, .deny, .allow, .forget, .forgetUnused, .undo, .redo, .hold, .runExample, .askNow, .quit: true
    default: false
    }
  }

  /// Whether the command can be chosen from help. The others belong to the event loop, to help itself, or to a selection
  /// that help hides.
  var runsFromHelp: Bool {
    switch self {
    case .help, .interrupt, .suspend, .repaint: false
    default: movement(page: 1, of: 1) == nil
    }
  }

  /// Whether the command answers an alert with a single key.
  var answers: Bool {
    switch self {
    case .allow, .keepSuggested, .deny, .denyAndMute, .denyRest, .confirm, .refuse: true
    default: false
    }
  }
}
