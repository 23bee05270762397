import PermModel

extension State {
  /// The rows of the desktop's store that a view lists after its own.
  func desktopRows(of screen: Screen) -> [RowID] {
    let ids: [DesktopEntries.ID] =
      switch screen {
      case .programs: desk.desktop.ids
      case .capability(let name): desk.desktop.ids(about: name)
      case .program(let program): desk.desktopEntries(of: program)
      default: []
      }
    return ids.map { .desktop($0) }
  }

  /// The selected row of the desktop's store.
  var selectedDesktopEntry: DesktopEntries.ID? {
    if case .desktop(let id) = list.selection { id } else { nil }
  }

  /// Whether a command does more than show something.
  func isDeed(_ command: Command) -> Bool {
    command.isDeed || command == .open && selectedDesktopEntry != nil
  }
}
