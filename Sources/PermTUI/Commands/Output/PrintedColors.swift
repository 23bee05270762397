/// The colours of printed output. They are the dashboard's colours, as far as the terminal can show them. The
/// environment variables tell which colours it can show.
struct PrintedColors: Sendable {
  static let none = PrintedColors(depth: .none, background: .unknown)

  let depth: Palette.Depth
  let background: Background

  var areUsed: Bool { depth != .none }

  /// Returns `text` between the sequence that sets the colour of `role` and the sequence that resets the colour.
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
  /// Derives the colours from the environment variables. By convention, `TERM` and `COLORTERM` tell whether the
  /// terminal has at least 256 colours.
  init(environment: [String: String]) {
    let isRich =
      environment["TERM", default: ""].hasSuffix("256color")
      || ["truecolor", "24bit"].contains(environment["COLORTERM"])
    self.init(
      depth: isRich ? .extended : .basic, background: Background(.auto, environment: environment))
  }
}
