/// How many colours the screen may use, as a person sets it. A terminal that has fewer gets fewer.
enum ColorSetting: String, CaseIterable, Sendable {
  case auto
  case extended = "256"
  case basic = "16"
  case none

  /// The most that it allows.
  var deepest: Palette.Depth {
    switch self {
    case .auto, .extended: .extended
    case .basic: .basic
    case .none: .none
    }
  }
}

/// What colour the terminal's background has, as far as it is known. The screen never paints it.
enum Background: Sendable {
  case unknown, dark, light
}

/// What the person says of the terminal's background.
enum ThemeSetting: String, CaseIterable, Sendable {
  case auto, dark, light
}

extension Background {
  /// What is set; else what the terminal says in `COLORFGBG`, as `15;0`; the Linux console is black.
  init(_ setting: ThemeSetting, environment: [String: String]) {
    switch setting {
    case .dark: self = .dark
    case .light: self = .light
    case .auto:
      let color = environment["COLORFGBG"]?.split(separator: ";").last.flatMap { Int($0) }
      switch color {
      case .some(0...6), 8: self = .dark
      case 7, 15: self = .light
      default: self = environment["TERM"] == "linux" ? .dark : .unknown
      }
    }
  }
}
