import PermModel

extension State {
  /// If the open view now needs different data, returns the effect that reads it.
  mutating func askToRead() -> [Effect] {
    let needed = neededReading
    guard needed != needs else { return [] }
    needs = needed
    return [.read(needed)]
  }

  private var neededReading: StoreNeeds {
    var needed = neededByView
    // The line about the run counts the decisions that end with it, so the decisions about its program are read, besides those
    // that the view behind the alert lists.
    if let form = desk.form, form.isUnfolded, form.isOfRun, let request = form.request?.request {
      let ofProgram = DecisionScope.program(request.subject)
      if !needed.decisions.covers(ofProgram) {
        needed.decisions = needed.decisions == .first ? ofProgram : .all
      }
    }
    return needed
  }

  private var neededByView: StoreNeeds {
    // While help is open, the data of the view below it is kept, because the person will return to that view.
    for screen in screens.reversed() {
      let place = place(of: screen)
      guard var needed = screen.view.needs(in: place, on: desk) else { continue }
      if needed.journal > 0 { (needed.journal, needed.search) = (journalWish(place), place.filter.text) }
      return needed
    }
    return StoreNeeds()
  }

  private func journalWish(_ list: ViewPlace) -> Int {
    let isNearEnd = !list.isFiltered && list.selected + StoreNeeds.journalPage / 4 > list.rows.count
    let isFull = desk.data.journal.count >= needs.journal
    return max(StoreNeeds.journalPage, needs.journal)
      + (isNearEnd && isFull && needs.journal > 0 ? StoreNeeds.journalPage : 0)
  }

  /// Whether all data that the open view lists has been read.
  var hasRead: Bool {
    let needed = screen.view.needs(in: ViewPlace(), on: desk)?.decisions ?? .first
    return desk.data.isLoaded && desk.data.isProbed && desk.data.scope.covers(needed)
  }
}
