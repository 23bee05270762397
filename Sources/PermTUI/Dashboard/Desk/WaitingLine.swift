import PermModel

/// Everything that waits for the person, in the order of appearance: on the screen, in line, set aside.
///
/// It is made once for each change and not for each look, because a thousand requests may wait.
struct WaitingLine: Sendable {
  /// The revision of the desk from which it was made.
  private(set) var revision = 0
  private(set) var items: [WaitingItem] = []
  private var places: [Alert.ID: Int] = [:]
  /// The alerts that are here, by the requests that they answer.
  private var alerts: [Alert.ID: Alert.ID] = [:]
  /// Those of them that another request may still join, by their key.
  private var open: [AlertKey: Alert.ID] = [:]

  init() {}

  init(_ desk: Desk) {
    let known = Set(desk.data.waiting.map(\.id))
    let alerts = [desk.shownAlert].compactMap(\.self) + desk.arrived + desk.setAside
    let here = alerts.filter { !known.contains($0.id) }
    let all = desk.data.waiting + here.map { WaitingItem($0, at: desk.now.wall) }
    let aside = Set(desk.setAside.map(\.id))
    let items = all.filter { !aside.contains($0.id) } + all.filter { aside.contains($0.id) }
    revision = desk.revision
    self.items = items
    places = Dictionary(zip(items.map(\.id), items.indices)) { first, _ in first }
    let ids = alerts.flatMap { alert in
      (alert.request?.requestIDs ?? []).map { (Alert.ID($0.text), alert.id) }
    }
    self.alerts = Dictionary(ids) { first, _ in first }
    let keys = (desk.arrived + desk.setAside).compactMap { alert in
      alert.request.map { (AlertKey($0.request), alert.id) }
    }
    open = Dictionary(keys) { first, _ in first }
  }

  /// Returns the alert that answers the item: its own, or the one that it shares.
  func alert(for item: WaitingItem) -> Alert.ID {
    alerts[item.id] ?? item.request.flatMap { open[AlertKey($0)] } ?? item.id
  }

  subscript(id: Alert.ID) -> WaitingItem? { places[id].map { items[$0] } }
}

extension Desk {
  /// The number of waiting items, with those that the store does not know.
  var waitingCount: Int { waiting.items.count }

  var waitingItems: [WaitingItem] { waiting.items }

  /// Returns the place of the item, or of the alert that it shares.
  func place(of item: WaitingItem) -> WaitingPlace {
    let alert = waiting.alert(for: item)
    if form?.alertID == alert { return .onScreen }
    if setAside.contains(where: { $0.id == alert }) { return .setAside }
    if arrived.contains(where: { $0.id == alert }) { return .inLine }
    if item.terminal != nil { return .onTerminal }
    return item.isElsewhere ? .elsewhere : .inLine
  }

  /// Returns the same in words.
  func whereabouts(of item: WaitingItem) -> String {
    let place = place(of: item)
    guard place == .onTerminal, let terminal = item.terminal else { return place.rawValue }
    return "on \(visible(terminal))"
  }

  /// The alert that is on the screen and still waits.
  fileprivate var shownAlert: Alert? { form?.isWithdrawn == false ? form?.alert : nil }
}

enum WaitingPlace: String, Sendable {
  case onScreen = "on screen"
  case inLine = "in line"
  case setAside = "set aside"
  /// At the dashboard that programs reach: shown there, set aside there, or in its line.
  case elsewhere
  /// On its program's own terminal.
  case onTerminal = "on a terminal"
}

extension Alert {
  var request: RequestAlert? {
    if case .request(let request) = content { request } else { nil }
  }
}

extension WaitingItem {
  init(_ alert: Alert, at moment: Timestamp) {
    let message =
      switch alert.content {
      case .request: ""
      case .confirmation(let confirmation): confirmation.message
      case .notice(let notice): notice.message
      }
    let request = alert.request?.request
    self.init(
      id: alert.id, summary: alert.summary, request: request, askedAt: request?.askedAt ?? moment,
      message: message)
    if let identity = alert.request?.identity { note(identity) }
  }

  /// Notes how the program's name fits earlier decisions.
  mutating func note(_ identity: IdentityCheck) {
    guard let request else { return }
    warnings = request.warnings(identity)
    isSuspicious = identity.isSuspicious(label: request.subject.label)
  }
}
