import CNcurses

/// The colours and attributes that this terminal uses for the roles of a style.
///
/// Colour is never the only sign of a state: every state also has a word or a symbol.
struct Palette {
  /// The terminal's number of colours, reduced to the three cases that matter.
  enum Depth: Comparable, Sendable {
    case none, basic, extended

    /// - Parameter isDirect: Whether the terminal takes colours as red, green and blue. If it has more than 256
    ///   colours without that, their numbers mean something else, except for the first eight.
    init(colors: Int, isDirect: Bool = false) {
      self = colors == 256 || isDirect ? .extended : colors >= 8 ? .basic : .none
    }
  }

  let depth: Depth
  private let background: Background
  private let isDirect: Bool

  init(depth: Depth, on background: Background = .unknown, isDirect: Bool = false) {
    self.depth = depth
    self.background = background
    self.isDirect = isDirect
  }

  /// Returns the colour for a role, or nil for the terminal's own foreground.
  ///
  /// With 256 colours, every colour in use is legible on both white and black (a contrast of at least 4 : 1).
  /// With fewer colours, only those that are legible on the background are used: never yellow or green on
  /// white, and never blue on black. If the background is unknown, only two colours remain.
  static func color(of role: Style.Role, depth: Depth, on background: Background = .unknown) -> Int16? {
    switch depth {
    case .none: nil
    case .basic: basicColor(of: role, on: background).map { Int16($0) }
    case .extended: extendedColor(of: role)
    }
  }

  private static func extendedColor(of role: Style.Role) -> Int16? {
    switch role {
    case .normal: nil
    case .muted: 243
    case .accent: 31
    case .allowed: 28
    case .denied: 161
    case .attention: 130
    case .machine0: 243
    case .machine1: 161
    case .machine2: 28
    case .machine3: 130
    case .machine4: 27
    case .machine5: 133
    case .machine6: 30
    case .machine7: nil
    }
  }

  private static func basicColor(of role: Style.Role, on background: Background) -> Int32? {
    switch (role, background) {
    case (.denied, _), (.machine1, _): COLOR_RED
    case (.attention, .dark), (.machine3, .dark): COLOR_YELLOW
    case (.attention, _), (.machine5, _): COLOR_MAGENTA
    case (.allowed, .dark), (.machine2, .dark): COLOR_GREEN
    case (.accent, .dark), (.machine6, .dark): COLOR_CYAN
    case (.accent, .light), (.machine4, .light): COLOR_BLUE
    default: nil
    }
  }

  /// Returns the colour for a role, or nil for the terminal's own foreground.
  func color(of role: Style.Role) -> Int16? {
    Self.color(of: role, depth: depth, on: background)
  }

  /// Returns the attributes for a style: its own, and those that stand for a colour that the terminal does not have.
  func attributes(for style: Style) -> Style.Attributes {
    var result = style.attributes
    if color(of: style.role) == nil && Self.isStrong(style.role) { result.insert(.bold) }
    if depth != .extended && style.role == .muted { result.insert(.dim) }
    return result
  }

  static func isStrong(_ role: Style.Role) -> Bool {
    role == .accent || role == .attention
  }
}

// MARK: - Curses

extension Palette {
  /// Prepares the colour pairs of curses. Must be called after `start_color`.
  func preparePairs() {
    for role in Style.Role.allCases {
      guard let color = color(of: role) else { continue }
      init_extended_pair(Int32(role.rawValue) + 1, isDirect ? Self.direct(color) : Int32(color), -1)
    }
  }

  /// Returns a colour of the palette of 256 colours as red, green and blue. The first eight keep their numbers, which mean
  /// the same on all terminals.
  static func direct(_ color: Int16) -> Int32 {
    guard color >= 16 else { return Int32(color) }
    let (cube, levels) = (Int32(color) - 16, [0, 95, 135, 175, 215, 255] as [Int32])
    guard cube < 216 else { return (8 + 10 * (cube - 216)) * 0x01_01_01 }
    return levels[Int(cube / 36)] << 16 | levels[Int(cube / 6 % 6)] << 8 | levels[Int(cube % 6)]
  }

  func pair(for style: Style) -> Int16 { color(of: style.role) == nil ? 0 : Int16(style.role.rawValue) + 1 }

  func cursesAttributes(for style: Style) -> attr_t {
    let attributes = attributes(for: style)
    var result: attr_t = 0
    if attributes.contains(.bold) { result |= cncurses_bold() }
    if attributes.contains(.dim) { result |= cncurses_dim() }
    if attributes.contains(.reverse) { result |= cncurses_reverse() }
    if attributes.contains(.underline) { result |= cncurses_underline() }
    return result
  }
}
