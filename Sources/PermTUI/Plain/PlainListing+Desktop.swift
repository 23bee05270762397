import PermModel

// The rows of the desktop's permission store.

extension PlainListing {
  /// Every row, in the order of the apps.
  var desktop: [String] {
    let lines = desk.desktop.ids.map(line)
    return lines.isEmpty
      ? ["There is no row of the desktop. Its store is empty, or permtui-portal is not installed."] : lines
  }

  /// A row in the desktop's terms, marked as the desktop's.
  func line(_ id: DesktopEntries.ID) -> String {
    let says = (desk.desktop[id] ?? []).joined(separator: " ")
    return "\(desk.visible(id.appWords)): desktop: \(desk.visible(id.place)) \(desk.visible(says))"
  }
}
