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
  }

  var role: Role
  var bold = false
  var dim = false
  var reverse = false
  var underline = false

  init(
    _ role: Role = .normal, bold: Bool = false, dim: Bool = false, reverse: Bool = false,
    underline: Bool = false
  ) {
    self.role = role
    self.bold = bold
    self.dim = dim
    self.reverse = reverse
    self.underline = underline
  }

  static let normal = Style()
}
