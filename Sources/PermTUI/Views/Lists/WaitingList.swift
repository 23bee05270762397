import PermModel

/// The rows of the requests and other items that wait for the person, program by program. What is asked comes first.
struct WaitingList {
  let desk: Desk
  let marked: Set<Alert.ID>
  /// Whether the name of a program stands above its rows, and not in them.
  let hasHeadings: Bool

  /// Returns the columns for a list of this width. A narrow list leaves it to the details to say where a request is.
  static func columns(_ width: Int, hasHeadings: Bool) -> [Column] {
    let what = Column(
      title: "What", width: hasHeadings ? 43 : 30, weight: 6, order: .capability, cut: .counted)
    let program = Column(title: "Program", width: 13, weight: 2, order: .name, cut: .middle)
    let rest = [
      Column(title: "Why", width: 14, weight: 2, isOptional: true),
      Column(title: "Asked", width: 7, order: .since), Column(title: "Ends", width: 7, isOptional: true),
    ]
    let place = width < LayoutWidth.places ? [] : [Column(title: "Where", width: 12, isOptional: true)]
    return (hasHeadings ? [what] : [what, program]) + rest + place
  }

  /// Returns the row that names a program above its requests.
  func heading(_ program: Subject?) -> ListRow {
    ListRow(text: TextLine.Span(program.map { desk.name(of: $0) } ?? "Beside the requests", .accent))
  }

  func row(_ item: WaitingItem) -> ListRow {
    let isAside = desk.place(of: item).isAside
    let what = TextLine.Span(what(item), item.warnings.isEmpty ? .normal : .denied)
    let program = item.request.map { desk.name(of: $0.subject) } ?? "–"
    let rest = [
      TextLine.Span(desk.visible(item.request?.reason ?? ""), .muted),
      TextLine.Span(desk.short(item.askedAt), isAside ? .attention : .muted),
      ends(item.request),
      TextLine.Span(desk.whereabouts(of: item), isAside ? .attention : .normal),
    ]
    return ListRow(
      mark: marked.contains(item.id) ? "+" : " ",
      cells: (hasHeadings ? [what] : [what, TextLine.Span(program, .muted)]) + rest)
  }

  /// Returns when a request gives up, if that is soon.
  private func ends(_ request: Request?) -> TextLine.Span {
    let left = request?.givesUpAt.map { $0.microseconds.subtractingClamped(desk.now.wall.microseconds) }
    return left.map { $0 < 3_600_000_000 } == true ? desk.givesUp(request) : TextLine.Span("", .muted)
  }

  /// Returns what is asked for, with a mark if there is a warning.
  private func what(_ item: WaitingItem) -> String {
    let what = item.request.map(desk.valueFirst) ?? desk.visible(item.summary)
    return item.warnings.isEmpty ? what : "! \(what)"
  }
}
