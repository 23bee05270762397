/// A cell's appearance: the role of its colour, and its attributes. Views name only roles, and the terminal chooses a
/// colour for each role. A screen without colours still shows the attributes.
struct Style: Hashable, Sendable {
  enum Role: UInt8, Hashable, Sendable, CaseIterable {
    /// The terminal's own foreground.
    case normal
    /// Text that is less important than the text around it.
    case muted
    /// Headings, key names, and the focus.
    case accent
    /// Allowed items, and success.
    case allowed
    /// Denied items, and errors.
    case denied
    /// Items that wait for the person, or that the person should look at.
    case attention
    /// Colours that a person gives to machines: black, red, green, yellow, blue, magenta, cyan and white, as far as they can
    /// be read.
    case machine0, machine1, machine2, machine3, machine4, machine5, machine6, machine7

    /// - Parameter machineColour: The number of one of the terminal's eight colours.
    init(machineColour: Int) {
      self = Role(rawValue: Role.machine0.rawValue + UInt8(clamping: machineColour)) ?? .accent
    }
  }

  /// Kept in one byte, because every frame compares thousands of styles.
  struct Attributes: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let bold = Attributes(rawValue: 1)
    static let dim = Attributes(rawValue: 2)
    static let reverse = Attributes(rawValue: 4)
    static let underline = Attributes(rawValue: 8)
  }

  var role: Role
  private(set) var attributes: Attributes

  var bold: Bool { attributes.contains(.bold) }
  var dim: Bool { attributes.contains(.dim) }
  var reverse: Bool { attributes.contains(.reverse) }
  var underline: Bool { attributes.contains(.underline) }

  init(
    _ role: Role = .normal, bold: Bool = false, dim: Bool = false, reverse: Bool = false,
    underline: Bool = false
  ) {
    self.role = role
    attributes = []
    if bold { attributes.insert(.bold) }
    if dim { attributes.insert(.dim) }
    if reverse { attributes.insert(.reverse) }
    if underline { attributes.insert(.underline) }
  }

  static let normal = Style()
}

extension Style {
  /// The style as a number, for ``Cell``.
  var bits: UInt16 { UInt16(role.rawValue) | UInt16(attributes.rawValue) << 8 }

  init(bits: UInt16) {
    role = Role(rawValue: UInt8(truncatingIfNeeded: bits)) ?? .normal
    attributes = Attributes(rawValue: UInt8(bits >> 8))
  }
}
