import PermModel

/// The rows of the requests and other items that wait for the person, program by program.
struct WaitingList {
  let desk: Desk
  let marked: Set<Alert.ID>
  /// The item in the row above; `nil` in the first row.
  let previous: WaitingItem?

  /// Returns the columns for a list of this width. A narrow list leaves it to the details to say where a request is.
  static func columns(_ width: Int) -> [Column] {
    let most = [
      Column(title: "Program", width: 13, weight: 2, order: .name, keepsEnd: true),
      Column(title: "What", width: 20, weight: 3, order: .capability, keepsEnd: true),
      Column(title: "Why", width: 16, weight: 4, isOptional: true),
      Column(title: "Asked", width: 7, order: .since), Column(title: "Ends", width: 8, isOptional: true),
    ]
    return width < LayoutWidth.places ? most : most + [Column(title: "Where", width: 12, isOptional: true)]
  }

  func row(_ item: WaitingItem) -> ListRow {
    let isAside = desk.place(of: item).isAside
    return ListRow(
      mark: marked.contains(item.id) ? "+" : " ",
      cells: [
        program(item), TextLine.Span(what(item), item.warnings.isEmpty ? .normal : .denied),
        TextLine.Span(desk.visible(item.request?.reason ?? ""), .muted),
        TextLine.Span(desk.short(item.askedAt), isAside ? .attention : .muted),
        desk.givesUp(item.request),
        TextLine.Span(desk.whereabouts(of: item), isAside ? .attention : .normal),
      ])
  }

  /// Returns the program's name, muted if the previous row has the same one.
  private func program(_ item: WaitingItem) -> TextLine.Span {
    guard let subject = item.request?.subject else { return TextLine.Span("–", .muted) }
    return TextLine.Span(desk.name(of: subject), subject == previous?.request?.subject ? .muted : .normal)
  }

  /// Returns what is asked for, with a mark if there is a warning.
  private func what(_ item: WaitingItem) -> String {
    let what = item.request.map(desk.briefWhat) ?? item.summary
    return desk.visible(item.warnings.isEmpty ? what : "! \(what)")
  }
}
