import PermModel

/// The rows of the first view: every capability with its current status.
struct CapabilityList {
  let desk: Desk
  /// The number of cells for the programs that may use a capability; `nil` if they have no column.
  private let room: Int?

  static let columns = [
    Column(title: "Capability", brief: "What", width: 15, weight: 1, order: .name),
    Column(title: "Status", width: 15, order: .status),
    Column(title: "Who may use it", brief: "Who", width: 35, weight: 4),
    Column(title: "Last asked", width: 11, order: .lastAsked, isOptional: true, isRightAligned: true),
  ]

  /// - Parameter width: The width of the list, in cells.
  init(desk: Desk, width: Int) {
    self.desk = desk
    let widths = Column.widths(of: Self.columns[...], into: width - ListTable.indent - 1)
    room = widths.count > 2 ? widths[2].map { $0 - Self.columns[2].gap } : nil
  }

  func row(_ capability: CapabilityRow) -> ListRow {
    let status = desk.data.status(of: capability)
    let asked = capability.lastAsked.map { desk.short($0) } ?? "–"
    let role: Style.Role = status == .unavailable ? .muted : .normal
    let id = capability.id
    return ListRow(
      mark: desk.marks.sign { $0.capability == id },
      cells: [
        TextLine.Span(desk.visible(capability.title), role),
        status.span,
        TextLine.Span(desk.users(of: capability, to: room), role),
        TextLine.Span(asked, .muted),
      ])
  }
}

extension CapabilityList {
  /// Returns the single row for the capabilities that this machine does not have.
  func row(absent count: Int, areShown: Bool) -> ListRow {
    let words =
      "\(count) more are not on this machine; \(desk.key(.open)) \(areShown ? "hides" : "shows") them"
    return ListRow(text: TextLine.Span(words, .muted))
  }
}

extension CapabilityStatus {
  /// The status as a sign and a word, so that it can be recognized without colours.
  var span: TextLine.Span {
    switch self {
    case .waiting: TextLine.Span("? \(words)", .attention, bold: true)
    case .allowed: TextLine.Span("● \(words)", .allowed)
    case .denied: TextLine.Span("✕ \(words)", .denied)
    case .partlyAllowed: TextLine.Span("◐ \(words)", .allowed)
    case .mixed: TextLine.Span("◐ mixed", .normal)
    case .unasked, .undecided: TextLine.Span("○ \(words)", .muted)
    case .unavailable: TextLine.Span("– \(words)", .muted)
    case .suspended: TextLine.Span("‖ \(words)", .attention)
    }
  }
}
