/// A cell's appearance: the meaning of its colour, and its attributes. The terminal chooses the colour for a role, so a
/// view never names one, and a screen without colours loses only colour.
struct Style: Hashable, Sendable {
  enum Role: UInt8, Hashable, Sendable, CaseIterable {
    /// The terminal's own foreground.
    case normal
    /// Less important than the text around it.
    case muted
    /// Headings, key names, and the focus.
    case accent
    /// Allowed items, and success.
    case allowed
    /// Denied items, and errors.
    case denied
    /// Items that wait for the person, or need a look.
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
