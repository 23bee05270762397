import PermModel

extension State {
  /// If the open view now needs different data, returns the effect that reads it.
  mutating func askToRead() -> [Effect] {
    let needed = neededReading
    guard needed != wish else { return [] }
    wish = needed
    return [.read(needed)]
  }

  private var neededReading: ReadingWish {
    // While help is open, the data of the view below it is kept, because the person will return to that view.
    let screen = screens.last { $0.context != .help } ?? .capabilities
    // A search for a program's name must find all decisions for that program, so every decision is read.
    let isSearch = screen == .capabilities && list(of: screen).isFiltered
    return ReadingWish(
      decisions: isSearch ? .all : screen.scope, journal: journalWish(screen),
      operations: screen == .operations)
  }

  private func journalWish(_ screen: Screen) -> Int {
    guard screen == .journal else { return 0 }
    let list = list(of: screen)
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
  /// The scope of the decisions that the view lists.
  var scope: DecisionScope {
    switch self {
    case .capability(let name): .capability(name)
    case .program(let program): .program(program)
    case .programs, .matrix: .all
    case .capabilities, .waiting, .operations, .journal, .help: .first
    }
  }
}
