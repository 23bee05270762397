import PermModel

extension Wire {
  /// An alert that can be answered at a dashboard.
  struct Shown: Codable, Hashable, Sendable {
    /// A number that is new each time the alert comes up, or comes up changed.
    var number: Int
    var alert: Alert
  }
}

extension Methods.Attach.Reply {
  /// Creates the reply that tells what has changed from one picture to the next. An alert is set aside only after it was
  /// shown, so its id is enough then.
  init(from old: ScreenPicture, to new: ScreenPicture) {
    // A thousand alerts can be set aside, and most changes are not about them.
    let same = zip(old.aside, new.aside).lazy.prefix { $0.id == $1.id }.reduce(0) { count, _ in count + 1 }
    let (before, after) = (old.ids(afterAside: same), new.ids(afterAside: same))
    let shown = new.shown.filter { !old.shown.contains($0) }
    let aside = Set(old.aside.dropFirst(same).map(\.id))
    show = shown.map { Wire.Shown(number: $0.number, alert: Wire.Alert($0.alert)) }.ifAny
    self.aside = new.aside.dropFirst(same).map(\.id).filter { !aside.contains($0) }.map(\.text).ifAny
    withdraw = before.subtracting(after).map(\.text).sorted().ifAny
  }

  /// Applies the change to the picture before it.
  func apply(to picture: inout ScreenPicture) throws(BrokerError) {
    for id in withdraw ?? [] { picture.remove(Alert.ID(id)) }
    for id in aside ?? [] {
      if let alert = picture.remove(Alert.ID(id)) { picture.aside.append(alert) }
    }
    for shown in show ?? [] {
      guard let alert = try shown.alert.alert() else { continue }
      picture.remove(alert.id)
      picture.shown.append(ScreenPicture.Shown(alert, number: shown.number))
    }
  }
}

extension ScreenPicture {
  /// Returns the ids of all alerts except the first few of those that were set aside.
  fileprivate func ids(afterAside count: Int) -> Set<Alert.ID> {
    Set(shown.map(\.alert.id) + aside.dropFirst(count).map(\.id))
  }

  @discardableResult
  fileprivate mutating func remove(_ id: Alert.ID) -> Alert? {
    let alert = shown.first { $0.alert.id == id }?.alert ?? aside.first { $0.id == id }
    shown.removeAll { $0.alert.id == id }
    aside.removeAll { $0.id == id }
    return alert
  }
}

extension Array {
  /// The array; `nil` if it is empty.
  fileprivate var ifAny: Self? { isEmpty ? nil : self }
}
