import PermModel

/// The rows of decisions and waiting requests, about a capability or for a program.
struct DecisionTable {
  enum Subject: Hashable, Sendable {
    case program, capability
  }

  let desk: Desk
  let subject: Subject

  var columns: [Column] {
    [
      name(width: 14, weight: 4, gap: 1),
      Column(title: "May", width: 13, weight: 1, gap: 1),
      Column(title: "Until", width: 14, gap: 1),
      Column(title: "Decided", width: 13, gap: 1, order: .decided, isOptional: true),
      Column(title: "  By", width: 21, weight: 3),
    ]
  }

  /// The columns of a list in which decisions are about values, whose names need more space.
  var valueColumns: [Column] {
    [
      name(width: 12, weight: 1),
      Column(title: "May", width: 25, weight: 4, cut: .counted), Column(title: "Until", width: 14),
      Column(title: "Decided", width: 11, order: .decided, isOptional: true),
      Column(title: "  By", width: 14, weight: 1),
    ]
  }

  /// Returns the column with the names of the programs or the capabilities.
  private func name(width: Int, weight: Int, gap: Int = 2) -> Column {
    let isProgram = subject == .program
    return Column(
      title: isProgram ? "Who" : "Capability", brief: isProgram ? nil : "What", width: width, weight: weight,
      gap: gap, order: .name, cut: .middle)
  }

  /// Returns the table of a view that lists decisions.
  func table(in state: State) -> ViewTable {
    ViewTable(columns: hasValues(state.list) ? valueColumns : columns) { row in
      switch row {
      case .decision(let id): desk.data.decision(id).map(self.row)
      case .group(let id): self.row(desk.data.group(id), isExpanded: state.list.unfolded.contains(row))
      case .gone(let id): desk.marks.news(of: id).map(self.row)
      case .waiting(let id): desk.waiting[id].map(self.row)
      case .desktop(let id): self.row(id)
      default: nil
      }
    }
  }

  /// Whether any of the first rows is about values, whose names need more space.
  private func hasValues(_ list: ViewPlace) -> Bool {
    list.rows.prefix(500).contains { row in
      switch row {
      case .group: true
      case .decision(let id): id.atoms.contains { $0.scope != .any }
      default: false
      }
    }
  }

  private func name(_ id: DecisionNews.ID) -> String {
    subject == .program ? desk.name(of: id.subject) : desk.visible(desk.name(ofCapability: id.capability))
  }

  /// Returns what a decision allows or denies, in the style of its effect now.
  private func may(_ decision: DecisionRow) -> TextLine.Span {
    if decision.isMute { return TextLine.Span("✕ muted", .denied) }
    let may = desk.valueFirst(decision)
    guard decision.verdict == .allow else { return TextLine.Span("✕ \(may)", .denied) }
    switch desk.data.effect(of: decision) {
    case .holds: return TextLine.Span(may, .allowed)
    case .holdsPartly: return TextLine.Span("◐ \(may)", .normal)
    case .rests: return TextLine.Span("‖ rests: \(may)", .attention)
    case .suspended: return TextLine.Span("‖ \(may)", .attention)
    case .deniedForEveryone, .forbiddenByPolicy: return TextLine.Span("✕ not now: \(may)", .denied)
    }
  }

  /// Returns the single row for many decisions about values.
  func row(_ group: ValueGroup, isExpanded: Bool) -> ListRow {
    let hasNews = desk.marks.unseen.contains(group.id)
    return ListRow(
      mark: desk.marks.fresh.contains(group.id) ? "*" : " ",
      cells: [
        TextLine.Span(name(group.id)),
        TextLine.Span(group.words, .accent),
        TextLine.Span("\(desk.key(.open)) \(isExpanded ? "hides" : "lists")", .muted),
        TextLine.Span(group.decidedAt.map { desk.short($0) } ?? "–", .muted),
        hasNews ? TextLine.Span("! changed", .attention, bold: true) : TextLine.Span("  –", .muted),
      ])
  }

  func row(_ decision: DecisionRow) -> ListRow {
    let (author, news) = (desk.author(of: decision), decision.id.news)
    return ListRow(
      mark: desk.marks.sign { $0 == news },
      cells: [
        TextLine.Span(name(news)), may(decision),
        desk.until(decision),
        TextLine.Span(desk.short(decision.decidedAt), .muted),
        author.isNews
          ? TextLine.Span("! \(author.text)", .attention, bold: true)
          : TextLine.Span("  \(author.text)", .muted),
      ])
  }

  /// Returns the row for a decision that was taken back elsewhere or has ended.
  func row(_ news: DecisionNews) -> ListRow {
    ListRow(cells: [
      TextLine.Span(name(news.id)), TextLine.Span(news.isEnded ? "○ ended" : "○ forgotten", .muted),
      TextLine.Span(news.isEnded ? desk.short(news.at) : "–", .muted),
      TextLine.Span(news.isEnded ? "–" : desk.short(news.at), .muted),
      TextLine.Span(
        "! \(news.isEnded ? "its time was up" : desk.author(news.origin, isRecent: true))", .attention,
        bold: true),
    ])
  }

  func row(_ item: WaitingRow) -> ListRow {
    let name = item.request.map { self.name(DecisionNews.ID(subject: $0.subject, capability: $0.capability)) }
    let isAside = desk.place(of: item).isAside
    let place = isAside ? "? set aside" : "? waiting"
    return ListRow(cells: [
      TextLine.Span(name ?? desk.visible(item.summary)), TextLine.Span(place, .attention),
      TextLine.Span("–", .muted), TextLine.Span("asked \(desk.short(item.askedAt))", .muted),
      TextLine.Span("  –", .muted),
    ])
  }
}

extension DecisionTable {
  /// Returns the row of the desktop's store.
  func row(_ id: DesktopEntries.ID) -> ListRow? {
    guard let permissions = desk.desktop[id] else { return nil }
    let isDenied = DesktopEntries.areDenials(permissions)
    let isTool = subject == .program && id.capability == "tools"
    let says =
      (isTool ? "\(desk.visible(id.place)) " : "") + desk.visible(permissions.joined(separator: " "))
    return ListRow(cells: [
      TextLine.Span(desk.visible(subject == .program ? id.appWords : id.place)),
      TextLine.Span(isDenied ? "✕ \(says)" : says, isDenied ? .denied : .normal), TextLine.Span("–", .muted),
      TextLine.Span("–", .muted), TextLine.Span("  \(DesktopEntries.mark)", .muted),
    ])
  }
}

extension State {
  /// Returns the rows of decisions. A filter searches each of them; without a filter, many decisions of one program about
  /// values are a single row.
  func rows(of decisions: some Sequence<DecisionRow>) -> [RowID] {
    if list.isFiltered { return decisions.map { .decision($0.id) } }
    return ValueGroup.entries(of: decisions).map { entry in
      switch entry {
      case .decision(let row): .decision(row.id)
      case .group(let group): .group(group.id)
      }
    }
  }

  /// Returns the rows and, after each expanded group, the rows of its decisions.
  func withMembers(_ rows: [RowID]) -> [RowID] {
    rows.flatMap { row in
      guard case .group(let id) = row, list.unfolded.contains(row) else { return [row] }
      return [row] + sorted(desk.data.group(id).rows.map { .decision($0.id) })
    }
  }

  /// Returns the decisions in the rows on the screen, and those taken back elsewhere that match.
  func visibleDecisions(_ isGone: (DecisionNews.ID) -> Bool) -> VisibleParts {
    let decisions = visibleRows.compactMap { if case .decision(let id) = $0 { id } else { nil } }
    return VisibleParts(decisions: decisions, gone: desk.marks.gone.map(\.id).filter(isGone))
  }
}
