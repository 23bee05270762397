extension Command {
  /// Whether the event loop itself obeys it, or it must work whatever happens.
  var isFixed: Bool {
    switch self {
    case .interrupt, .suspend, .repaint: true
    default: false
    }
  }

  /// Whether a key that means this in a form is obeyed at any time and at once. None of these answers anything.
  func isObeyedAtOnce(by key: Key) -> Bool {
    switch self {
    case .down, .up, .pageDown, .pageUp, .halfPageDown, .halfPageUp, .first, .last, .help: true
    case .setAside, .close: key == .escape
    default: false
    }
  }

  /// Whether it answers an alert by a single key.
  var answers: Bool {
    switch self {
    case .allow, .deny, .denyAndMute, .confirm, .refuse: true
    default: false
    }
  }
}

extension Key {
  /// Whether nobody presses it out of habit, as Enter, the space and keys that move are pressed.
  var isDeliberate: Bool {
    switch self {
    case .character(let character): character != " "
    case .function: true
    default: false
    }
  }
}
