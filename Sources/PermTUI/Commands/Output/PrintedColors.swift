/// The colours of printed output: those of the dashboard, as far as the environment reveals what the terminal can show.
struct PrintedColors: Sendable {
  static let none = PrintedColors(depth: .none, background: .unknown)

  let depth: Palette.Depth
  let background: Background

  var areUsed: Bool { depth != .none }

  /// Returns `text` between the sequences that set the colour of its role and reset it.
  func colored(_ text: String, as role: Style.Role) -> String {
    guard areUsed, let parameters = parameters(of: role) else { return text }
    return "\u{1b}[\(parameters)m\(text)\u{1b}[0m"
  }

  private func parameters(of role: Style.Role) -> String? {
    if let color = Palette.color(of: role, depth: depth, on: background) {
      return color < 8 ? "3\(color)" : "38;5;\(color)"
    }
    return role == .muted ? "2" : Palette.isStrong(role) ? "1" : nil
  }
}

extension PrintedColors {
  /// By convention, the name of the terminal's type, or `COLORTERM`, reveals that it has 256 colours or more.
  init(environment: [String: String]) {
    let isRich =
      environment["TERM", default: ""].hasSuffix("256color")
      || ["truecolor", "24bit"].contains(environment["COLORTERM"])
    self.init(
      depth: isRich ? .extended : .basic, background: Background(.auto, environment: environment))
  }
}
