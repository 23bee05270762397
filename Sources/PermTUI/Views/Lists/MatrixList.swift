import PermModel

/// A matrix of programs and capabilities, with one sign for each pair.
struct MatrixList {
  private static let nameWidths = 18...40
  /// The number of cells that a column has beside its title: two for the brackets of the selected column, and a gap.
  private static let margin = 3

  let state: State
  private let capabilities: [CapabilityRow]
  /// The index of the selected capability.
  private let selected: Int
  /// The places of the capabilities that fit side by side. The selected capability is always among them.
  private let shown: Range<Int>

  init(state: State) {
    self.state = state
    capabilities = state.matrixCapabilities
    selected = capabilities.firstIndex { $0.id == state.matrixSelection } ?? 0
    let widths = capabilities.map { Self.width(of: $0, state) }
    shown = Self.fitting(
      widths, around: selected, into: Self.room(state) - min(Self.nameWidths.lowerBound, Self.room(state) / 3)
    )
  }

  /// Returns the width that the columns can take in all.
  private static func room(_ state: State) -> Int { state.layout.list.size.width - ListTable.indent - 1 }

  private static func width(of capability: CapabilityRow, _ state: State) -> Int {
    state.desk.typesetter.width(of: state.desk.visible(capability.title)) + margin
  }

  private static func fitting(_ widths: [Int], around selected: Int, into room: Int) -> Range<Int> {
    guard widths.indices.contains(selected) else { return 0..<0 }
    var (first, end) = (selected, selected + 1)
    while first > 0, widths[first - 1..<end].reduce(0, +) <= room { first -= 1 }
    while end < widths.count, widths[first...end].reduce(0, +) <= room { end += 1 }
    return first..<end
  }

  var columns: [Column] {
    let widths = shown.map { Self.width(of: capabilities[$0], state) }
    let nameWidth = min(Self.room(state) - widths.reduce(0, +), Self.nameWidths.upperBound)
    let titles = zip(shown, widths).map { Column(title: heading(of: $0), width: $1, gap: 1) }
    return [Column(title: "Program", width: nameWidth, order: .name, cut: .middle)] + titles
  }

  private func heading(of place: Int) -> String {
    let title = state.desk.visible(capabilities[place].title)
    if place == selected { return "[\(title)]" }
    let isMore = place == shown.last && place < capabilities.count - 1
    return (place == shown.first && place > 0 ? "‹" : " ") + title + (isMore ? "›" : "")
  }

  func row(_ program: Subject) -> ListRow {
    let status = ProgramStatus(of: program, in: state.desk.data)
    let cells = shown.map { sign(capabilities[$0].id, status, isSelected: $0 == selected) }
    let hasNews = state.desk.marks.unseen.contains { $0.subject == program }
    return ListRow(mark: hasNews ? "!" : " ", cells: [TextLine.Span(state.desk.name(of: program))] + cells)
  }

  private func sign(_ capability: String, _ status: ProgramStatus, isSelected: Bool) -> TextLine.Span {
    let decided = status[capability]
    let waits = status.waits(for: capability)
    let sign = waits ? (decided == .undecided ? "?" : "\(decided.sign)?") : decided.sign
    let role = waits ? .attention : decided.role
    return TextLine.Span(isSelected ? "[\(sign)]" : " \(sign)", role, bold: isSelected)
  }
}

extension PairStatus {
  var sign: String {
    switch self {
    case .undecided: "·"
    case .allowed: "●"
    case .denied, .muted: "✕"
    case .partlyDenied: "·✕"
    case .mixed, .partlyAllowed: "◐"
    case .suspended: "‖"
    }
  }

  var role: Style.Role {
    switch self {
    case .undecided, .partlyDenied: .muted
    case .allowed, .partlyAllowed: .allowed
    case .denied, .muted: .denied
    case .mixed: .normal
    case .suspended: .attention
    }
  }
}
