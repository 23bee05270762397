import PermModel

/// The first view: every capability with its current status.
struct CapabilitiesView: ScreenView {
  var context: KeyContext { .capabilities }
  var orders: [SortOrder] { [.lastAsked, .name, .status] }
  var keepsOrder: Bool { true }

  func title(on desk: Desk) -> String? { nil }

  /// A search for a program's name must find all decisions for that program, so every decision is read.
  func needs(in place: ViewPlace, on desk: Desk) -> StoreNeeds? {
    StoreNeeds(decisions: place.isFiltered ? .all : .first)
  }

  func companion(in state: State) -> ScreenLayout.Companion {
    let folded = state.absent.count
    let rest = folded == 0 ? 0 : state.list.unfolded.contains(.absent) ? 1 : 1 - folded
    return .afterRows(max(1, state.desk.data.capabilities.count + rest))
  }

  /// Returns every capability, but without a filter those that this machine does not have as a single row.
  func rows(in state: State) -> [RowID] {
    let folded = state.list.isFiltered ? [] : Set(state.absent.map(\.id))
    let rows = state.desk.data.capabilities.filter { !folded.contains($0.id) }.map { RowID.capability($0.id) }
    return rows + (folded.isEmpty ? [] : [.absent])
  }

  /// Returns the rows with the single row for absent capabilities at their end, followed by those capabilities if the
  /// person has expanded it.
  func unfolded(_ rows: [RowID], in state: State) -> [RowID] {
    guard rows.contains(.absent) else { return rows }
    let members = state.list.unfolded.contains(.absent) ? state.absent.map { RowID.capability($0.id) } : []
    return rows.filter { $0 != .absent && !members.contains($0) } + [.absent] + members
  }

  func emptyWords(in state: State) -> String {
    state.desk.data.isLoaded ? "No capability is known." : "Reading…"
  }

  func table(in state: State) -> ViewTable {
    let list = CapabilityTable(desk: state.desk, width: state.layout.list.size.width)
    return ViewTable(columns: CapabilityTable.columns, adapts: false) { row in
      switch row {
      case .capability(let id): state.desk.data.capability(id).map(list.row)
      case .absent: list.row(absent: state.absent.count, areShown: state.list.unfolded.contains(.absent))
      default: nil
      }
    }
  }

  func visible(in state: State) -> VisibleParts {
    var parts = VisibleParts()
    for case .capability(let id) in state.visibleRows {
      parts.ends += [state.desk.onlyAllow(of: id)?.end].compactMap(\.self)
    }
    guard case .capability(let id) = state.list.selection else { return parts }
    let room = state.layout.paneRowCount
    parts.decisions = state.desk.data.decisions(about: id).prefix(room).map(\.id)
    parts.gone = state.desk.marks.gone.map(\.id).filter { $0.capability == id }.prefix(room).map(\.self)
    return parts
  }
}

// MARK: - Details

extension CapabilitiesView {
  func pane(in state: State, width: Int) -> Pane {
    let text = PaneText(state: state, width: width)
    switch state.list.selection {
    case .capability(let id):
      return Pane(
        title: text.title(ofCapability: id), lines: overview(of: id, text),
        table: decisions(about: id, in: state))
    case .absent: return Pane(title: "Not on this machine, with reasons", lines: absent(text))
    default: return Pane()
    }
  }

  /// Returns the decisions about a capability and the requests for it; `nil` if there are none.
  private func decisions(about id: String, in state: State) -> Pane.Table? {
    let (desk, room) = (state.desk, state.layout.paneRowCount)
    let list = DecisionTable(desk: desk, subject: .program)
    let gone = desk.marks.gone.filter { $0.id.capability == id }.prefix(room)
    let (waiting, entries) = (desk.data.waiting(for: id), desk.desktop.ids(about: id))
    let rows =
      gone.map { list.row($0) } + desk.data.decisions(about: id).prefix(room).map { list.row($0) }
      + waiting.prefix(room).map { list.row($0) }
      + entries.prefix(room).compactMap { list.row($0) }
    guard !rows.isEmpty else { return nil }
    let decided = max(desk.data.decisions(about: id).count, desk.data.count(about: id))
    let count = gone.count + decided + waiting.count + entries.count
    return Pane.Table(columns: list.columns, rows: rows, count: count)
  }

  /// Returns the details of a capability without decisions.
  private func overview(of id: String, _ text: PaneText) -> [TextLine] {
    guard let capability = text.state.desk.data.capability(id) else { return [] }
    let steps = firstSteps(text)
    if let why = capability.unavailability {
      return text.wrapped("Not available: \(text.visible(why.reason))")
        + text.wrapped("To change that: \(text.visible(why.remedy))", Style(.muted)) + steps
    }
    return steps.isEmpty ? text.wrapped("No program has asked for this.") : steps
  }

  /// Returns what to do as long as nothing is decided and nothing waits.
  private func firstSteps(_ text: PaneText) -> [TextLine] {
    guard text.state.desk.hasNothingToShow else { return [] }
    return text.wrapped("Nothing is decided yet. In another terminal, try")
      + text.typesetter.hang(
        FirstRequest.command, Style(.accent), behind: "", column: 2, width: text.width)
      + text.wrapped("or play the demo:") + [TextLine("  permtui demo", Style(.accent))]
  }

  /// Returns the reasons why this machine lacks capabilities.
  private func absent(_ text: PaneText) -> [TextLine] {
    firstSteps(text)
      + text.state.absent.flatMap { capability in
        let reason = capability.unavailability?.reason ?? ""
        return text.wrapped("\(text.visible(capability.title)): \(text.visible(reason))", Style(.muted))
      }
  }
}

extension Screen {
  static let capabilities = Screen(CapabilitiesView())
}

/// The rows of the first view.
private struct CapabilityTable {
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
    let widths = Column.widths(of: Self.columns[...], into: width - ScreenLayout.rowIndent - 1)
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

extension CapabilityTable {
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
