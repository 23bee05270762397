import PermModel

/// The rows of the first view: every capability with its current status.
struct CapabilityList {
  let desk: Desk
  /// The width of the list, in cells.
  let width: Int

  static let columns = [
    Column(title: "Capability", width: 15, weight: 1), Column(title: "Status", width: 15),
    Column(title: "Who may use it", width: 36, weight: 4),
    Column(title: "Last asked", width: 10, isOptional: true, isRightAligned: true),
  ]

  func row(_ capability: CapabilityRow) -> ListRow {
    let status = desk.data.status(of: capability)
    let room = Column.fit(Self.columns, into: width - ListTable.indent - 1)[2].map { $0.width - 2 }
    let asked = capability.lastAsked.map { desk.short($0) } ?? "–"
    return ListRow(
      mark: desk.marks.sign { $0.capability == capability.id },
      cells: [
        TextLine.Span(desk.visible(capability.title)),
        status.span,
        TextLine.Span(desk.users(of: capability, to: room), status == .unavailable ? .muted : .normal),
        TextLine.Span(asked, .muted),
      ])
  }
}

extension CapabilityList {
  /// Returns the single row for the capabilities that this machine does not have.
  func row(absent count: Int, areShown: Bool) -> ListRow {
    let words = "not on this machine; \(desk.key(.open)) \(areShown ? "hides" : "shows") them"
    return ListRow(cells: [
      TextLine.Span("\(count) more", .muted), CapabilityStatus.unavailable.span, TextLine.Span(words, .muted),
    ])
  }
}

extension CapabilityStatus {
  /// The status as a sign and a word, so that it can be recognized without colours.
  var span: TextLine.Span {
    switch self {
    case .waiting: TextLine.Span("? \(words)", .attention, bold: true)
    case .allowed: TextLine.Span("● \(words)", .allowed)
    case .denied: TextLine.Span("✕ \(words)", .denied)
    case .mixed(let allowed, let denied): TextLine.Span("\(allowed) ● \(denied) ✕", .normal)
    case .unasked, .undecided: TextLine.Span("○ \(words)", .muted)
    case .unavailable: TextLine.Span("– \(words)", .muted)
    case .suspended: TextLine.Span("‖ \(words)", .attention)
    }
  }
}
