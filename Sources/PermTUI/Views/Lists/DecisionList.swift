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
      Column(title: subject == .program ? "Who" : "Capability", width: 15, weight: 3),
      Column(title: "May", width: 14, weight: 2),
      Column(title: "Until", width: 16), Column(title: "Decided", width: 13, isOptional: true),
      Column(title: "  By", width: 18, weight: 1),
    ]
  }

  func row(_ decision: DecisionRow) -> ListRow {
    let typesetter = state.typesetter
    let name = subject == .program ? decision.subject.label : capabilityTitle(decision.capability)
    let words = state.data.capability(decision.capability)?.words(for: decision.atoms) ?? "use"
    let may = typesetter.visible(words)
    let isAllowed = decision.verdict == .allow
    let author = state.author(of: decision)
    return ListRow(
      mark: state.marks.fresh.contains(decision.id.news) ? "*" : " ",
      [
        TextLine.Span(typesetter.visible(name)),
        isAllowed ? TextLine.Span(may, .allowed) : TextLine.Span("✕ \(may)", .denied),
        TextLine.Span(until(decision)),
        TextLine.Span(state.surroundings.clock.short(decision.decidedAt, now: state.now.wall), .muted),
        author.isNews
          ? TextLine.Span("! \(author.text)", .attention, bold: true)
          : TextLine.Span("  \(author.text)", .muted),
      ])
  }

  /// Returns a row for a decision that someone else took back.
  func row(_ news: DecisionNews) -> ListRow {
    let name = subject == .program ? news.id.subject.label : state.name(ofCapability: news.id.capability)
    let moment = state.surroundings.clock.short(news.at, now: state.now.wall)
    let author = state.author(news.origin, isRecent: true)
    return ListRow([
      TextLine.Span(state.typesetter.visible(name)), TextLine.Span("○ forgotten", .muted),
      TextLine.Span("–", .muted), TextLine.Span(moment, .muted),
      TextLine.Span("! \(author)", .attention, bold: true),
    ])
  }

  func row(_ item: WaitingItem) -> ListRow {
    let typesetter = state.typesetter
    let name = subject == .program ? item.request?.subject.label : item.request?.capability
    let place = state.place(of: item) == .setAside ? "? set aside" : "? waiting"
    let asked = state.surroundings.clock.short(item.askedAt, now: state.now.wall)
    return ListRow([
      TextLine.Span(typesetter.visible(name ?? item.summary)), TextLine.Span(place, .attention),
      TextLine.Span("–", .muted), TextLine.Span("asked \(asked)", .muted), TextLine.Span("  –", .muted),
    ])
  }

  private func capabilityTitle(_ id: String) -> String { state.name(ofCapability: id) }

  /// Returns the end of a decision, with a countdown in the last minute.
  private func until(_ row: DecisionRow) -> String {
    let end = state.end(of: row)
    guard let moment = row.end, let seconds = Countdown(to: moment).seconds(at: state.now.wall) else {
      return end
    }
    return "\(end) (\(seconds) s)"
  }
}

extension State {
  /// Returns the author of a decision, and whether that is news to the person.
  func author(of row: DecisionRow) -> (text: String, isNews: Bool) {
    if row.isMade(by: surroundings.dashboardID) { return ("you, here", false) }
    return (author(row.origin, isRecent: row.decidedAt > openedAt), marks.unseen.contains(row.id.news))
  }

  /// Returns the author of a change made elsewhere.
  ///
  /// - Parameter isRecent: Whether the change was made since this dashboard opened.
  func author(_ origin: Origin, isRecent: Bool) -> String {
    let name =
      switch origin {
      case .dashboard: isRecent ? "screen" : "you, on a screen"
      case .commandLine, .commandLineAlone: "shell"
      case .terminal: "prompt"
      case .rule(let name): typesetter.visible(name)
      case .library: "program"
      }
    return isRecent ? "\(name), not here" : name
  }
}
