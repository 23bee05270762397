import PermModel

/// The rows of the first view: every capability with its current status.
struct CapabilityList {
  let desk: Desk

  static let columns = [
    Column(title: "Capability", width: 15, weight: 1), Column(title: "Status", width: 15),
    Column(title: "Who may use it", width: 36, weight: 4),
    Column(title: "Last asked", width: 10, isOptional: true, isRightAligned: true),
  ]

  func row(_ capability: CapabilityRow) -> ListRow {
    let status = desk.data.status(of: capability)
    let asked = capability.lastAsked.map { desk.short($0) } ?? "–"
    return ListRow(
      mark: desk.marks.sign { $0.capability == capability.id },
      cells: [
        TextLine.Span(desk.visible(capability.title)),
        status.span,
        TextLine.Span(desk.users(of: capability), status == .unavailable ? .muted : .normal),
        TextLine.Span(asked, .muted),
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
    case .mixed: TextLine.Span("◐ \(words)", .normal)
    case .unasked, .undecided: TextLine.Span("○ \(words)", .muted)
    case .unavailable: TextLine.Span("– \(words)", .muted)
    case .suspended: TextLine.Span("✕ \(words)", .denied)
    }
  }
}
