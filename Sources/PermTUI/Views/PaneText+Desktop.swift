extension PaneText {
  /// Returns the details of a row of the desktop's store.
  func desktop(_ id: DesktopEntries.ID) -> [TextLine] {
    guard let permissions = state.desk.desktop[id] else { return [] }
    let says = wrapped(
      "The desktop's own store says: \(typesetter.visible(permissions.joined(separator: " ")))")
    guard !id.isForeign else {
      return says + wrapped("It belongs to another service of the desktop, and is only shown.", Style(.muted))
    }
    let next = id.next(after: permissions).map { next in
      "\(state.desk.key(.open)) makes it \(typesetter.visible(next.joined(separator: " "))). "
    }
    let removal = "\(state.desk.key(.forget)) removes it, so that the app has to ask again."
    return says + wrapped((next ?? "") + removal, Style(.muted))
  }
}
