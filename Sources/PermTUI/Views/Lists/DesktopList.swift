import PermModel

/// The rows of the desktop's store among those of our decisions. Each is marked as the desktop's.
struct DesktopList {
  static let mark = "desktop"

  let desk: Desk

  /// Returns the row among programs.
  func programRow(_ id: DesktopEntries.ID) -> ListRow? {
    guard let permissions = desk.desktop[id] else { return nil }
    let isDenied = DesktopEntries.areDenials(permissions)
    let words = "\(Self.mark): \(desk.visible(id.place)) \(says(permissions))"
    return ListRow(cells: [
      TextLine.Span(desk.visible(id.appWords)), TextLine.Span(isDenied ? "" : words),
      TextLine.Span(isDenied ? words : "", .denied), TextLine.Span("–", .muted),
    ])
  }

  /// Returns the row among the decisions about a capability or for a program.
  func decisionRow(_ id: DesktopEntries.ID, _ subject: DecisionList.Subject) -> ListRow? {
    guard let permissions = desk.desktop[id] else { return nil }
    let isDenied = DesktopEntries.areDenials(permissions)
    let isTool = subject == .program && id.capability == "tools"
    let says = (isTool ? "\(desk.visible(id.place)) " : "") + says(permissions)
    return ListRow(cells: [
      TextLine.Span(desk.visible(subject == .program ? id.appWords : id.place)),
      TextLine.Span(isDenied ? "✕ \(says)" : says, isDenied ? .denied : .normal), TextLine.Span("–", .muted),
      TextLine.Span("–", .muted), TextLine.Span("  \(Self.mark)", .muted),
    ])
  }

  private func says(_ permissions: [String]) -> String {
    desk.visible(permissions.joined(separator: " "))
  }
}
