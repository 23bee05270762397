import PermModel

/// The matrix of programs and capabilities.
struct MatrixView: ScreenView {
  var context: KeyContext { .matrix }
  var orders: [SortOrder] { [.name, .decided] }
  var keepsOrder: Bool { true }

  func needs(in place: ViewPlace, on desk: Desk) -> StoreNeeds? { StoreNeeds(decisions: .all) }
  func companion(in state: State) -> ScreenLayout.Companion { .rowsBelow(6) }
  func rows(in state: State) -> [RowID] { state.desk.data.knownPrograms.map { .program($0) } }
  func emptyWords(in state: State) -> String { "No program has asked yet, and none has an answer." }

  func table(in state: State) -> ViewTable {
    let list = MatrixTable(state: state)
    return ViewTable(columns: list.columns, adapts: false) { row in
      if case .program(let program) = row { list.row(program) } else { nil }
    }
  }

  func pane(in state: State, width: Int) -> Pane {
    guard case .program(let program) = state.list.selection else { return Pane() }
    let text = PaneText(state: state, width: width)
    let capability = state.matrixCapability
    return Pane(
      title: "\(state.desk.name(of: program)) and \(text.visible(capability?.title ?? ""))",
      lines: capability.map { PairText(text: text, program: program, capability: $0).lines } ?? [])
  }

  func take(_ command: Command, in state: inout State) -> [Effect]? {
    switch (command, state.list.selection) {
    case (.left, _): state.moveColumn(by: -1)
    case (.right, _): state.moveColumn(by: 1)
    case (.open, .program(let program)):
      state.screens.append(state.matrixCapability.map { .capability($0.id) } ?? .program(program))
    default: return nil
    }
    return []
  }
}

extension Screen {
  static let matrix = Screen(MatrixView())
}

extension State {
  /// The columns of the matrix: the capabilities that are waited for or decided now, then those that once were, and then
  /// those that could be, each by name. Unused capabilities that this machine does not have are left out.
  var matrixCapabilities: [CapabilityRow] {
    let data = desk.data
    let named = data.capabilities.map { ($0, $0.title.lowercased()) }.sorted { $0.1 < $1.1 }.map(\.0)
    let ranks = named.map { data.isOpen($0) ? 0 : data.isUsed($0) ? 1 : $0.unavailability == nil ? 2 : 3 }
    return (0...2).flatMap { rank in named.indices.filter { ranks[$0] == rank }.map { named[$0] } }
  }

  /// The capability of the selected column.
  var matrixCapability: CapabilityRow? {
    let capabilities = matrixCapabilities
    return capabilities.first { $0.id == list.column } ?? capabilities.first
  }

  fileprivate mutating func moveColumn(by distance: Int) {
    let capabilities = matrixCapabilities
    guard !capabilities.isEmpty else { return }
    let place = capabilities.firstIndex { $0.id == list.column } ?? 0
    list.column = capabilities[min(max(0, place + distance), capabilities.count - 1)].id
  }
}

/// The rows of the matrix, with one sign for each pair.
struct MatrixTable {
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
    selected = capabilities.firstIndex { $0.id == state.list.column } ?? 0
    let widths = capabilities.map { Self.width(of: $0, state) }
    shown = Self.fitting(
      widths, around: selected, into: Self.room(state) - min(Self.nameWidths.lowerBound, Self.room(state) / 3)
    )
  }

  /// Returns the width that the columns can take in all.
  private static func room(_ state: State) -> Int {
    state.layout.list.size.width - ScreenLayout.rowIndent - 1
  }

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

/// The details of what one program may do with one capability.
private struct PairText {
  /// The greatest number of decisions that the pane of the matrix lists.
  private static let mostDecisions = 20

  let text: PaneText
  let program: Subject
  let capability: CapabilityRow

  private var desk: Desk { text.state.desk }

  /// Everything that determines the answer.
  var lines: [TextLine] {
    let status = ProgramStatus(of: program, in: desk.data)
    let rows = status.rows[capability.id] ?? []
    let more = rows.count - Self.mostDecisions
    let own = rows.prefix(Self.mostDecisions).flatMap(decided)
    return waiting + forEveryone + policy(status)
      + (rows.isEmpty ? undecided(status) : own)
      + (more > 0 ? text.wrapped("and \(more) more", Style(.muted)) : []) + text.general(status)
  }

  private var waiting: [TextLine] {
    desk.data.waiting(for: capability.id).filter { $0.request?.subject == program }.prefix(3).flatMap {
      item in
      let reason = item.request?.reason.map { ": \" \(text.typesetter.visible($0)) \"" } ?? ""
      return text.wrapped(
        "? waits for an answer, asked \(desk.short(item.askedAt))\(reason)", Style(.attention))
    }
  }

  private var forEveryone: [TextLine] {
    guard !program.isEveryone else { return [] }
    return desk.data.decisions(for: .everyone).filter { $0.capability == capability.id }
      .prefix(Self.mostDecisions).flatMap { row in
        text.wrapped("✕ denied for everyone: \(terms(row))", Style(.denied))
      }
  }

  private func policy(_ status: ProgramStatus) -> [TextLine] {
    let atoms = status.restricted(capability.id)
    guard !atoms.isEmpty else { return [] }
    let words = text.typesetter.visibleWords(capability.words(for: atoms.sorted()))
    return text.wrapped("✕ forbidden by the policy of this machine: \(words)", Style(.denied))
  }

  private func undecided(_ status: ProgramStatus) -> [TextLine] {
    status[capability.id] == .undecided || status[capability.id] == .muted
      ? text.wrapped("Nothing is decided.", Style(.muted)) : []
  }

  /// Returns a decision of the program, with its effect now.
  private func decided(_ row: DecisionRow) -> [TextLine] {
    let terms = terms(row)
    guard row.verdict == .allow else { return text.wrapped("✕ denied: \(terms)", Style(.denied)) }
    switch desk.data.effect(of: row) {
    case .holds: return text.wrapped("● allowed: \(terms)", Style(.allowed))
    case .holdsPartly: return text.wrapped("◐ allowed, but not all of it: \(terms)")
    case .rests(let writer):
      let rest = desk.visible(DecidedAtoms.Obstacle.rests(writer: writer).words)
      return text.wrapped("‖ \(rest): \(terms)", Style(.attention))
    case .suspended: return text.wrapped("‖ suspended: \(terms)", Style(.attention))
    case .deniedForEveryone:
      return text.wrapped("✕ without effect, as everyone is denied it: \(terms)", Style(.denied))
    case .forbiddenByPolicy:
      return text.wrapped("✕ without effect, as the policy forbids it: \(terms)", Style(.denied))
    }
  }

  private func terms(_ row: DecisionRow) -> String {
    let words = text.typesetter.visibleWords(capability.words(for: row.atoms))
    let decided = "decided \(desk.short(row.decidedAt)) \(desk.byAuthor(of: row))"
    return "\(words), \(row.lifetime.words(desk.short)), \(decided)"
  }
}
