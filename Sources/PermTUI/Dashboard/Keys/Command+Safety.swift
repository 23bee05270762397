extension Command {
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

extension Key {
  /// Whether it is pressed on purpose, unlike Enter, the space and keys that move, which people press out of habit.
  var isDeliberate: Bool {
    switch self {
    case .character(let character): character != " "
    case .function: true
    default: false
    }
  }
}
