/// The control sequences of a terminal that follows ECMA-48, as nearly all terminals do, and those of them that not all
/// such terminals have.
struct TerminalDialect: Sendable {
  /// The parameters that select the colour of each role; empty for the terminal's own foreground.
  private let colors: [[UInt8]]
  private let palette: Palette
  /// The attributes that the terminal has.
  private let attributes: Style.Attributes
  /// The attributes that the terminal does not have together with a colour.
  private let colorless: Style.Attributes
  /// Whether the terminal can erase cells within a row.
  let erasesWithinRow: Bool
  /// Whether the terminal can scroll some of its rows.
  let scrolls: Bool

  init(
    colors: [[UInt8]], _ palette: Palette, attributes: Style.Attributes = .all,
    colorless: Style.Attributes = [], erasesWithinRow: Bool = true, scrolls: Bool = true
  ) {
    self.colors = colors
    self.palette = palette
    self.attributes = attributes
    self.colorless = colorless
    self.erasesWithinRow = erasesWithinRow
    self.scrolls = scrolls
  }
}

// MARK: - Description

extension TerminalDialect {
  /// The flags of such a terminal: the cursor stays in the row whose last cell was filled, and can move while attributes
  /// are set.
  private static let flags = ["xenl", "msgr"]
  private static let strings = [
    "cr": "\r", "cup": "\u{1b}[%i%p1%d;%p2%dH", "hpa": "\u{1b}[%i%p1%dG", "el": "\u{1b}[K",
  ]
  private static let scrolling = [
    "csr": "\u{1b}[%i%p1%d;%p2%dr", "indn": "\u{1b}[%p1%dS", "rin": "\u{1b}[%p1%dT",
  ]

  /// Reads the terminal's description, with which curses must have been started.
  ///
  /// - Returns: `nil` if the terminal has other sequences, or needs time after some of them.
  init?(_ palette: Palette) {
    guard Self.resets(CursesScreen.string("sgr0") ?? []), Self.flags.allSatisfy(CursesScreen.flag),
      Self.has(Self.strings), palette.depth == .none || Self.has(["op": "\u{1b}[39;49m"])
    else { return nil }
    var colors: [[UInt8]] = []
    for role in Style.Role.allCases {
      guard let color = palette.color(of: role) else {
        colors.append([])
        continue
      }
      guard let parameters = Self.parameters(CursesScreen.sequence("setaf", Int32(color))) else { return nil }
      colors.append(parameters)
    }
    let known = Self.names.filter { CursesScreen.string($0.name) != nil }
    guard known.allSatisfy({ Self.has([$0.name: $0.sequence]) }) else { return nil }
    let mask = max(0, CursesScreen.number("ncv"))
    self.init(
      colors: colors, palette, attributes: Style.Attributes(known.map(\.attribute)),
      colorless: Style.Attributes(Self.names.filter { mask & $0.mask != 0 }.map(\.attribute)),
      erasesWithinRow: Self.has(["ech": "\u{1b}[%p1%dX"]), scrolls: Self.has(Self.scrolling))
  }

  /// The attributes with their names, sequences, and bits in the number `ncv`. That number also names reversal, but no
  /// terminal in use lacks it for coloured text, and the selected row needs it.
  private static let names: [(attribute: Style.Attributes, name: String, sequence: String, mask: Int32)] = [
    (.bold, "bold", "\u{1b}[1m", 32), (.dim, "dim", "\u{1b}[2m", 16), (.underline, "smul", "\u{1b}[4m", 2),
    (.reverse, "rev", "\u{1b}[7m", 0),
  ]

  private static func has(_ strings: [String: String]) -> Bool {
    strings.allSatisfy { CursesScreen.string($0.key)?.elementsEqual($0.value.utf8) == true }
  }

  /// Returns whether a sequence ends all attributes and does nothing else, except that it can select the ASCII character
  /// set. This program never selects another one.
  private static func resets(_ sequence: [UInt8]) -> Bool {
    let sets = [[], Array("\u{1b}(B".utf8), [0x0f]]
    return ["\u{1b}[m", "\u{1b}[0m"].map { Array($0.utf8) }.contains { reset in
      sets.contains { sequence == reset + $0 || sequence == $0 + reset }
    }
  }

  /// Returns the parameters of a sequence such as `ESC [ 3 1 m`; `nil` if it is another one.
  private static func parameters(_ sequence: [UInt8]) -> [UInt8]? {
    guard sequence.starts(with: [0x1b, UInt8(ascii: "[")]), sequence.last == UInt8(ascii: "m") else {
      return nil
    }
    let parameters = sequence[2..<sequence.count - 1]
    let allowed = UInt8(ascii: "0")...UInt8(ascii: ";")
    return parameters.allSatisfy(allowed.contains) ? Array(parameters) : nil
  }
}

// MARK: - Looks

extension TerminalDialect {
  /// The look of a style on this terminal.
  struct Look: Equatable {
    /// The role whose colour is selected; ``Style/Role/normal`` for the terminal's own foreground.
    var color: Style.Role
    var attributes: Style.Attributes

    static let plain = Look(color: .normal, attributes: [])

    /// Whether a blank of this look is the same as a plain one.
    var hidesBlanks: Bool { attributes.isDisjoint(with: [.reverse, .underline]) }
  }

  func look(of style: Style) -> Look {
    let color = colors[Int(style.role.rawValue)].isEmpty ? Style.Role.normal : style.role
    let all = palette.attributes(for: style).intersection(attributes)
    return Look(color: color, attributes: color == .normal ? all : all.subtracting(colorless))
  }

  /// Adds the shortest sequence that changes one look to another.
  ///
  /// - Parameter old: The present look; `nil` if it is not known.
  func append(from old: Look?, to new: Look, _ bytes: inout [UInt8]) {
    bytes += [0x1b, UInt8(ascii: "[")]
    let start = bytes.count
    func add(_ parameters: some Sequence<UInt8>) {
      if bytes.count > start { bytes.append(UInt8(ascii: ";")) }
      bytes += parameters
    }
    if new != .plain {
      // A reset is the only way to end attributes that all terminals have.
      let kept = old.flatMap { $0.attributes.isSubset(of: new.attributes) ? $0 : nil }
      if kept == nil { add(CollectionOfOne(UInt8(ascii: "0"))) }
      let base = kept ?? .plain
      for (attribute, parameter) in Self.parameters
      where new.attributes.subtracting(base.attributes).contains(attribute) {
        add(CollectionOfOne(UInt8(ascii: parameter)))
      }
      if new.color != base.color {
        if new.color == .normal { add("39".utf8) } else { add(colors[Int(new.color.rawValue)]) }
      }
    }
    bytes.append(UInt8(ascii: "m"))
  }

  private static let parameters: [(Style.Attributes, Unicode.Scalar)] = [
    (.bold, "1"), (.dim, "2"), (.underline, "4"), (.reverse, "7"),
  ]
}
