import PermModel

/// The rows of the requests and other items that wait for the person, in the order in which they wait.
struct WaitingList {
  let desk: Desk
  let marked: Set<Alert.ID>

  static let columns = [
    Column(title: "What", width: 38, weight: 4), Column(title: "Where", width: 13),
    Column(title: "Asked", width: 14), Column(title: "Gives up", width: 11, isOptional: true),
  ]

  func row(_ item: WaitingItem) -> ListRow {
    let place = desk.place(of: item)
    return ListRow(
      mark: marked.contains(item.id) ? "+" : " ",
      cells: [
        TextLine.Span(what(item), item.warnings.isEmpty ? .normal : .denied),
        TextLine.Span(desk.whereabouts(of: item), place == .setAside ? .attention : .normal),
        TextLine.Span(desk.short(item.askedAt), .muted),
        desk.givesUp(item.request),
      ])
  }

  private func what(_ item: WaitingItem) -> String {
    let warnings = item.warnings.map { "! \($0)" }
    return desk.visible(([desk.summary(of: item)] + warnings).joined(separator: " "))
  }
}
