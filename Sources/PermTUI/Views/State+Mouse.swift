import PermModel

// The mouse scrolls, selects and sorts. Nothing that it sends is a key, and a click never answers.

extension State {
  /// The number of rows by which a turn of the wheel scrolls.
  private static let wheel = 3

  mutating func take(_ mouse: MouseEvent) -> [Effect] {
    guard !isTooSmall else { return [] }
    guard desk.form == nil else { return takeInForm(mouse) }
    desk.prompt.note(at: desk.now.milliseconds)
    switch mouse {
    case .wheelUp: scroll(by: -Self.wheel)
    case .wheelDown: scroll(by: Self.wheel)
    case .click(let position): click(position)
    }
    return []
  }

  /// Scrolls in a form. Any other deed of the mouse, and any during a press, restarts the wait.
  private mutating func takeInForm(_ mouse: MouseEvent) -> [Effect] {
    let command: Command? =
      switch mouse {
      case .wheelUp: .up
      case .wheelDown: .down
      case .click: nil
      }
    guard let command, desk.prompt.pressed == nil, desk.form?.entry == nil else {
      desk.disturb()
      return []
    }
    if desk.obey(desk.prompt.pass(at: desk.now.milliseconds)) {
      for _ in 0..<Self.wheel { _ = desk.form?.press(command, isArmed: false) }
    }
    return []
  }

  private mutating func click(_ position: Position) {
    let frame = layout.list
    let (row, column) = (position.row - frame.origin.row, position.column - frame.origin.column)
    guard column >= 0, column < frame.size.width, row >= 0, row < frame.size.height else { return }
    if row == 0 { return sort(byColumnAt: column) }
    let places = list.visible(layout.rowCount)
    let place = places.lowerBound + row - 1
    guard places.contains(place), !list.rows[place].isHeading else { return }
    list.select(list.rows[place])
  }

  /// Sorts by the column whose title was clicked, and turns the order round if that is the order already.
  private mutating func sort(byColumnAt column: Int) {
    guard let order = ListView(state: self).order(at: column),
      let place = screen.view.orders.firstIndex(of: order)
    else { return }
    desk.report = nil
    if order == self.order { return reverseOrder() }
    list.order = place
    list.isReversed = false
    desk.report = Report(text: "Sorted by \(order.rawValue).")
  }
}
