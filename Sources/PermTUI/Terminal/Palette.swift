import CNcurses

/// The colours and attributes that stand for the roles of a style on this terminal.
///
/// Colour never says anything alone: every state has a word or a sign beside it.
struct Palette {
  /// How many colours the terminal has, in the steps that matter.
  enum Depth: Sendable {
    case none, basic, extended

    init(colors: Int) {
      self = colors >= 256 ? .extended : colors >= 8 ? .basic : .none
    }
  }

  let depth: Depth

  /// Prepares the colour pairs. Call it after `start_color`.
  init(depth: Depth) {
    self.depth = depth
    guard depth != .none else { return }
    for role in Style.Role.allCases {
      if let color = Self.color(of: role, depth: depth) { init_pair(Int16(role.rawValue) + 1, color, -1) }
    }
  }

  /// The colour for a role, or nil for the terminal's own foreground.
  ///
  /// With 256 colours each can be read on white and on black alike (at least 4 : 1). With fewer, the colours are the
  /// user's theme, and only those are taken that themes keep readable on their background.
  static func color(of role: Style.Role, depth: Depth) -> Int16? {
    switch (role, depth) {
    case (_, .none), (.normal, _), (.muted, .basic): nil
    case (.muted, .extended): 243
    case (.accent, .basic): Int16(COLOR_CYAN)
    case (.accent, .extended): 31
    case (.allowed, .basic): Int16(COLOR_GREEN)
    case (.allowed, .extended): 28
    case (.denied, .basic): Int16(COLOR_RED)
    case (.denied, .extended): 161
    case (.attention, .basic): Int16(COLOR_YELLOW)
    case (.attention, .extended): 130
    }
  }

  func pair(for style: Style) -> Int16 {
    Self.color(of: style.role, depth: depth) == nil ? 0 : Int16(style.role.rawValue) + 1
  }

  func attributes(for style: Style) -> attr_t {
    var result: attr_t = 0
    if style.bold || (depth == .none && Self.isStrong(style.role)) { result |= cncurses_bold() }
    if style.dim || (depth != .extended && style.role == .muted) { result |= cncurses_dim() }
    if style.reverse { result |= cncurses_reverse() }
    if style.underline { result |= cncurses_underline() }
    return result
  }

  private static func isStrong(_ role: Style.Role) -> Bool {
    role == .accent || role == .attention
  }
}
