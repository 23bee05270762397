/// The meaning of a key. The configuration file names commands by their raw values.
enum Command: String, CaseIterable, Sendable {
  // Moving about.
  case down, up, left, right
  case pageDown = "page-down"
  case pageUp = "page-up"
  case halfPageDown = "half-page-down"
  case halfPageUp = "half-page-up"
  case first, last
  case open, back

  // Views.
  case capabilities, programs, matrix, waiting, operations, journal, help

  // Lists.
  case find, sort, refresh
  case reverseSort = "reverse-sort"

  // Changing something.
  case undo, forget, panic
  case mark
  case askNow = "ask-now"
  case runExample = "run-example"

  // Answering.
  case allow, deny, press, narrow, note, confirm, refuse, close
  case denyAndMute = "deny-and-mute"
  case setAside = "set-aside"
  case nextButton = "next-button"
  case previousButton = "previous-button"
  case lookAhead = "look-ahead"
  case keepFirst = "keep-1"
  case keepSecond = "keep-2"
  case keepThird = "keep-3"
  case keepFourth = "keep-4"
  case keepFifth = "keep-5"
  case keepSixth = "keep-6"

  // The program and its terminal. The event loop itself stops and repaints.
  case quit, interrupt, suspend, repaint

  /// The keep-for choices in the order in which the screen lists them.
  static let keepFor: [Command] = [
    .keepFirst, .keepSecond, .keepThird, .keepFourth, .keepFifth, .keepSixth,
  ]
}

extension Command {
  /// Returns the number of rows by which it moves in a list of `count` rows, downwards; `nil` if it does not move.
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

  /// Whether the event loop itself obeys it, or it must always work.
  var isFixed: Bool {
    switch self {
    case .interrupt, .suspend, .repaint: true
    default: false
    }
  }

  /// Returns whether `key` with this meaning in a form is always obeyed at once. None of these commands answers
  /// anything.
  func isObeyedAtOnce(by key: Key) -> Bool {
    switch self {
    case .help: true
    case .setAside, .close: key == .escape
    default: movement(page: 1, of: 1) != nil
    }
  }

  /// Whether it answers an alert with a single key.
  var answers: Bool {
    switch self {
    case .allow, .deny, .denyAndMute, .confirm, .refuse: true
    default: false
    }
  }
}
