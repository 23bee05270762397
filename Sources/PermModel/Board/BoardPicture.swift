/// The board at one moment, as lists show it.
package struct BoardPicture: Hashable, Sendable {
  /// The alert that can be answered.
  package var up: Alert?
  /// Whether a screen shows the alert that is up.
  package var isOnScreen = false
  /// The alerts that wait to be shown, in the order in which they will be shown if no alert is added or removed.
  package var line: [Alert] = []
  package var aside: [Alert] = []

  package init() {}

  /// The number of alerts that are up or in line, for example the 4 in `Request 1 of 4`.
  package var count: Int { line.count + (up == nil ? 0 : 1) }

  /// All alerts in the order in which they will be shown, followed by those that were set aside.
  package var alerts: [Alert] { inLine + aside }
  /// The alert that is up and those in line.
  package var inLine: [Alert] { [up].compactMap(\.self) + line }
}

extension Board {
  package var picture: BoardPicture {
    var picture = pictureOfLine
    picture.aside = alertsAside(where: \.isAside)
    return picture
  }

  /// The picture without what was set aside. After a person was away, that can be nearly everything.
  package var pictureOfLine: BoardPicture {
    var picture = BoardPicture()
    let holders = claimants.filter { $0.claim != nil || ($0.hasLease && $0.phase == .inLine) }
    for item in holders.sorted(by: { ($0.claim ?? .max, $0.id) < ($1.claim ?? .max, $1.id) }) {
      if picture.up == nil, item.made != nil {
        (picture.up, picture.isOnScreen) = (item.listed, item.isOnScreen)
      } else {
        picture.line.append(item.listed)
      }
    }
    let program = holders.first { !$0.hasLease }?.program
    picture.line += line.order(after: program).compactMap { items[$0]?.listed }
    return picture
  }

  /// The items that hold the slot or have a claim of their own. No other item is shown.
  var claimants: [Item] {
    Set(claims.values.compactMap { $0.holder ?? $0.lender }).compactMap { items[$0] }
  }

  /// Returns the alerts of the items that were set aside, in that order.
  func alertsAside(where isMeant: (Item) -> Bool) -> [Alert] {
    asides.compactMap { id in items[id].flatMap { isMeant($0) ? $0.listed : nil } }
  }
}

extension Board.Item {
  /// Whether the item is at a screen without the slot, also while its answer there is being stored.
  fileprivate var isAside: Bool {
    switch phase {
    case .aside: true
    case .settling: claim == nil
    default: false
    }
  }
}
