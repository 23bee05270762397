import PermModel

extension State {
  /// Asks for what the open view needs, when that has changed.
  mutating func askToRead() -> [Effect] {
    let needed = neededReading
    guard needed != wish else { return [] }
    wish = needed
    return [.read(needed)]
  }

  private var neededReading: ReadingWish {
    // Help covers a view that is come back to.
    let screen = screens.last { $0.context != .help } ?? .capabilities
    // Who looks for a name means all that have it.
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

  /// Whether the open view has all that it lists.
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
