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
      Column(title: subject == .program ? "Who" : "Capability", width: 14, weight: 3),
      Column(title: "May", width: 13, weight: 2),
      Column(title: "Until", width: 15), Column(title: "Decided", width: 13, isOptional: true),
      Column(title: "  By", width: 21, weight: 1),
    ]
  }

  /// The columns of a list in which decisions are about values, whose names need more space.
  var valueColumns: [Column] {
    [
      Column(title: subject == .program ? "Who" : "Capability", width: 12, weight: 1),
      Column(title: "May", width: 30, weight: 4), Column(title: "Until", width: 9),
      Column(title: "Decided", width: 11, isOptional: true), Column(title: "  By", width: 14, weight: 1),
    ]
  }

  /// Returns the single row for many decisions about values.
  func row(_ group: ValueGroup, isExpanded: Bool) -> ListRow {
    let name = subject == .program ? group.id.subject.label : desk.name(ofCapability: group.id.capability)
    let hasNews = desk.marks.unseen.contains(group.id)
    return ListRow(
      mark: desk.marks.fresh.contains(group.id) ? "*" : " ",
      cells: [
        TextLine.Span(desk.visible(name)),
        TextLine.Span("\(group.words): \(desk.key(.open)) \(isExpanded ? "hides" : "lists") them", .accent),
        TextLine.Span("–", .muted), TextLine.Span(group.decidedAt.map { desk.short($0) } ?? "–", .muted),
        hasNews ? TextLine.Span("! changed", .attention, bold: true) : TextLine.Span("  –", .muted),
      ])
  }

  func row(_ decision: DecisionRow) -> ListRow {
    let name = subject == .program ? decision.subject.name : desk.name(ofCapability: decision.capability)
    let may = desk.may(decision)
    let isAllowed = decision.verdict == .allow
    let author = desk.author(of: decision)
    return ListRow(
      mark: desk.marks.fresh.contains(decision.id.news) ? "*" : " ",
      cells: [
        TextLine.Span(desk.visible(name)),
        isAllowed ? TextLine.Span(may, .allowed) : TextLine.Span("✕ \(may)", .denied),
        TextLine.Span(until(decision)),
        TextLine.Span(desk.short(decision.decidedAt), .muted),
        author.isNews
          ? TextLine.Span("! \(author.text)", .attention, bold: true)
          : TextLine.Span("  \(author.text)", .muted),
      ])
  }

  /// Returns the row for a decision that was taken back elsewhere.
  func row(_ news: DecisionNews) -> ListRow {
    let name = subject == .program ? news.id.subject.name : desk.name(ofCapability: news.id.capability)
    return ListRow(cells: [
      TextLine.Span(desk.visible(name)), TextLine.Span("○ forgotten", .muted),
      TextLine.Span("–", .muted), TextLine.Span(desk.short(news.at), .muted),
      TextLine.Span("! \(desk.author(news.origin, isRecent: true))", .attention, bold: true),
    ])
  }

  func row(_ item: WaitingItem) -> ListRow {
    let name = subject == .program ? item.request?.subject.name : item.request?.capability
    let place = desk.place(of: item) == .setAside ? "? set aside" : "? waiting"
    return ListRow(cells: [
      TextLine.Span(desk.visible(name ?? item.summary)), TextLine.Span(place, .attention),
      TextLine.Span("–", .muted), TextLine.Span("asked \(desk.short(item.askedAt))", .muted),
      TextLine.Span("  –", .muted),
    ])
  }

  /// Returns the end of a decision's lifetime, with a countdown during the last minute.
  private func until(_ row: DecisionRow) -> String {
    let end = row.lifetime.end(desk.short)
    guard let moment = row.end, let seconds = Countdown(end: moment).seconds(at: desk.now.wall) else {
      return end
    }
    return "\(end) (\(seconds) s)"
  }
}
