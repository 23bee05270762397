/// The number of colours that the screen may use, as set by the person. A terminal with fewer colours uses fewer.
enum ColorSetting: String, CaseIterable, Sendable {
  case auto
  case extended = "256"
  case basic = "16"
  case none

  /// The maximum colour depth that it allows.
  var deepest: Palette.Depth {
    switch self {
    case .auto, .extended: .extended
    case .basic: .basic
    case .none: .none
    }
  }
}

/// The colour of the terminal's background, if known. The screen never paints it.
enum Background: Sendable {
  case unknown, dark, light

  /// Uses the setting, else the terminal's `COLORFGBG`, such as `15;0`; the Linux console is black.
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

/// The person's setting for the terminal's background.
enum ThemeSetting: String, CaseIterable, Sendable {
  case auto, dark, light
}
