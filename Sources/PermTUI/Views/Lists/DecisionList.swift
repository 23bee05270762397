import PermModel

/// The rows of the view of a capability or a program: its decisions and waiting requests.
struct DecisionList {
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

  func row(_ item: WaitingItem) -> ListRow {
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
