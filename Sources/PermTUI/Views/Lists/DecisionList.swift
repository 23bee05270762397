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

  func row(_ decision: DecisionRow) -> ListRow {
    let name = subject == .program ? decision.subject.label : desk.name(ofCapability: decision.capability)
    let may = desk.visible(
      desk.data.capability(decision.capability)?.words(for: decision.atoms) ?? "use")
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
    let name = subject == .program ? news.id.subject.label : desk.name(ofCapability: news.id.capability)
    return ListRow(cells: [
      TextLine.Span(desk.visible(name)), TextLine.Span("○ forgotten", .muted),
      TextLine.Span("–", .muted), TextLine.Span(desk.short(news.at), .muted),
      TextLine.Span("! \(desk.author(news.origin, isRecent: true))", .attention, bold: true),
    ])
  }

  func row(_ item: WaitingItem) -> ListRow {
    let name = subject == .program ? item.request?.subject.label : item.request?.capability
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
