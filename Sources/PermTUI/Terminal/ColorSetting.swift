/// The person's limit on the number of colours on the screen. A terminal that has fewer colours uses fewer.
enum ColorSetting: String, CaseIterable, Sendable {
  case auto
  case extended = "256"
  case basic = "16"
  case none

  /// The maximum colour depth that this setting allows.
  var deepest: Palette.Depth {
    switch self {
    case .auto, .extended: .extended
    case .basic: .basic
    case .none: .none
    }
  }
}

/// Whether the terminal's background is dark or light, if that is known. The screen never paints the background.
enum Background: Sendable {
  case unknown, dark, light

  /// Uses the setting. If it is `auto`, uses the environment variable `COLORFGBG`, whose last number is the background
  /// colour, as in `15;0`. Without that variable, only the Linux console's background is known: it is black.
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
