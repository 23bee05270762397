import PermModel

/// The rows of the requests that wait for the person, in the order in which they come up.
struct WaitingList {
  let state: State

  static let columns = [
    Column(title: "What", width: 38, weight: 4), Column(title: "Where", width: 13),
    Column(title: "Asked", width: 14), Column(title: "Gives up", width: 11, isOptional: true),
  ]

  func row(_ item: WaitingItem) -> ListRow {
    let clock = state.surroundings.clock
    let place = state.place(of: item)
    return ListRow(
      mark: state.marked.contains(item.id) ? "+" : " ",
      [
        TextLine.Span(what(item), item.warnings.isEmpty ? .normal : .denied),
        TextLine.Span(state.whereabouts(of: item), place == .setAside ? .attention : .normal),
        TextLine.Span(clock.short(item.askedAt, now: state.now.wall), .muted),
        TextLine.Span(item.request?.givesUpAt.map { clock.short($0, now: state.now.wall) } ?? "–", .muted),
      ])
  }

  private func what(_ item: WaitingItem) -> String {
    let warnings = item.warnings.map { "! \($0)" }
    return state.typesetter.visible(([item.summary] + warnings).joined(separator: " "))
  }
}
