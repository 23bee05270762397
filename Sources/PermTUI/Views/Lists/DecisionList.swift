import PermModel

/// Rows for decisions and waiting requests, about one capability or for one program.
struct DecisionList {
  /// The subject of the first column.
  enum Subject: Hashable, Sendable {
    case program, capability
  }

  let state: State
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
    let typesetter = state.typesetter
    let name = subject == .program ? decision.subject.label : capabilityTitle(decision.capability)
    let words = state.data.capability(decision.capability)?.words(for: decision.atoms) ?? "use"
    let may = typesetter.visible(words)
    let isAllowed = decision.verdict == .allow
    return ListRow(
      mark: state.marks.fresh.contains(decision.id.news) ? "*" : " ",
      [
        TextLine.Span(typesetter.visible(name)),
        isAllowed ? TextLine.Span(may, .allowed) : TextLine.Span("✕ \(may)", .denied),
        TextLine.Span(until(decision)),
        TextLine.Span(state.short(decision.decidedAt), .muted),
        author(decision),
      ])
  }

  /// Returns a row for a decision that someone else took back.
  func row(_ news: DecisionNews) -> ListRow {
    let name = subject == .program ? news.id.subject.label : state.name(ofCapability: news.id.capability)
    let moment = state.short(news.at)
    return ListRow([
      TextLine.Span(state.typesetter.visible(name)), TextLine.Span("○ forgotten", .muted),
      TextLine.Span("–", .muted), TextLine.Span(moment, .muted),
      TextLine.Span("! \(author(news.origin, isRecent: true))", .attention, bold: true),
    ])
  }

  func row(_ item: WaitingItem) -> ListRow {
    let typesetter = state.typesetter
    let name = subject == .program ? item.request?.subject.label : item.request?.capability
    let place = state.place(of: item) == .setAside ? "? set aside" : "? waiting"
    let asked = state.short(item.askedAt)
    return ListRow([
      TextLine.Span(typesetter.visible(name ?? item.summary)), TextLine.Span(place, .attention),
      TextLine.Span("–", .muted), TextLine.Span("asked \(asked)", .muted), TextLine.Span("  –", .muted),
    ])
  }

  private func capabilityTitle(_ id: String) -> String { state.name(ofCapability: id) }

  /// Returns the end of a decision, with a countdown in the last minute.
  private func until(_ row: DecisionRow) -> String {
    let end = row.lifetime.end(state.short)
    guard let moment = row.end, let seconds = Countdown(to: moment).seconds(at: state.now.wall) else {
      return end
    }
    return "\(end) (\(seconds) s)"
  }
}

extension DecisionList {
  /// Returns the author of a decision, marked if the person has not seen it.
  private func author(_ row: DecisionRow) -> TextLine.Span {
    if row.isMade(by: state.surroundings.dashboardID) { return TextLine.Span("  you, here", .muted) }
    let isRecent = row.decidedAt > state.openedAt
    guard state.marks.unseen.contains(row.id.news) else {
      return TextLine.Span("  \(author(row.origin, isRecent: isRecent))", .muted)
    }
    return TextLine.Span("! \(author(row.origin, isRecent: isRecent))", .attention, bold: true)
  }

  /// - Parameter isRecent: Whether the change was made since this dashboard opened.
  private func author(_ origin: Origin, isRecent: Bool) -> String {
    state.typesetter.visible(origin.noun) + (isRecent ? ", not here" : "")
  }
}
