/// The alerts at one screen.
package struct ScreenPicture: Hashable, Sendable {
  /// An alert that can be answered.
  package struct Shown: Hashable, Sendable {
    /// A number that is new each time the alert comes up, or comes up changed.
    package var number: Int
    package var alert: Alert

    package init(_ alert: Alert, number: Int) { (self.alert, self.number) = (alert, number) }
  }

  package var shown: [Shown] = []
  /// The alerts that were set aside at this screen, in that order.
  package var aside: [Alert] = []

  package init() {}
}

extension Board {
  /// Returns the alerts at a screen that follows pictures; `nil` if there is no such screen any more.
  ///
  /// - Complexity: O(*n*) in the number of alerts.
  package func picture(of screen: Screen.ID) -> ScreenPicture? {
    guard screens.contains(where: { $0.id == screen }) else { return nil }
    var picture = ScreenPicture()
    for item in claimants where item.showings[screen] == .shown {
      if let alert = item.made { picture.shown.append(.init(alert, number: item.madeVersion)) }
    }
    picture.shown.sort { $0.number < $1.number }
    picture.aside = alertsAside { $0.phase == .aside(at: screen) }
    return picture
  }
}
