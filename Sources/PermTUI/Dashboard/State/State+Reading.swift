import PermModel

extension State {
  /// Asks for the data of the open view when its needs have changed.
  mutating func askToRead() -> [Effect] {
    let needed = neededReading
    guard needed != wish else { return [] }
    wish = needed
    return [.read(needed)]
  }

  private var neededReading: ReadingWish {
    // Help covers a view to which the person returns.
    let screen = screens.last { $0.context != .help } ?? .capabilities
    // A search for a name must find every decision with it.
    let isSearch = screen == .capabilities && lists[screen]?.isFiltered == true
    return ReadingWish(
      decisions: isSearch ? .all : screen.scope, journal: journalWish(screen),
      operations: screen == .operations)
  }

  private func journalWish(_ screen: Screen) -> Int {
    guard screen == .journal else { return 0 }
    let list = lists[screen] ?? ListState()
    let isNearEnd = !list.isFiltered && list.selected + ReadingWish.journalPage / 4 > list.rows.count
    let isFull = desk.data.journal.count >= wish.journal
    return max(ReadingWish.journalPage, wish.journal)
      + (isNearEnd && isFull && wish.journal > 0 ? ReadingWish.journalPage : 0)
  }

  /// Whether all data that the open view lists has been read.
  var hasRead: Bool {
    desk.data.isLoaded && desk.data.isProbed && desk.data.scope.covers(screen.scope)
  }
}

extension Screen {
  /// The decisions that the view lists.
  var scope: DecisionScope {
    switch self {
    case .capability(let name): .capability(name)
    case .program(let program): .program(program)
    case .programs, .matrix: .all
    case .capabilities, .waiting, .operations, .journal, .help: .first
    }
  }
}
