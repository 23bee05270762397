extension Command {
  /// Whether the event loop itself obeys it, or it must work whatever happens.
  var isFixed: Bool {
    switch self {
    case .interrupt, .suspend, .repaint: true
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
