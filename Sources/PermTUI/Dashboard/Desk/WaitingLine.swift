import PermBroker
import PermModel

/// Everything that waits for the person: the item on the screen, then those in line, then those set aside.
///
/// Because a thousand requests might be waiting, the line is rebuilt only after a change and not each time it is read.
struct WaitingLine: Sendable {
  /// The desk's revision when the line was made.
  private var revision = 0
  /// The id of the alert that was on the screen then.
  private var shown: Alert.ID?
  private(set) var items: [WaitingRow] = []
  /// The ids of the items that need no answer.
  private(set) var notices: Set<Alert.ID> = []
  /// The number of items at the end of the line that were set aside.
  private(set) var asideCount = 0
  /// The number of requests and questions that were not set aside.
  private(set) var lineCount = 0
  /// The number of requests on other machines that wait there beyond the listed ones.
  private(set) var unlistedCount = 0
  /// The ids of the items that other machines have listed.
  private(set) var listedElsewhere: Set<Alert.ID> = []
  /// The number of items in line before those that are here only as alerts. Of these, the one on the screen is the first.
  private var listedCount = 0
  /// Whether an item waits with an alert that does not list its request yet.
  private var hasShared = false
  /// For each item, where it waits, and its index among the items that were set aside or among the others.
  private var places: [Alert.ID: (index: Int, place: WaitingPlace)] = [:]

  init() {}

  init(_ desk: Desk) {
    (revision, shown) = (desk.revision, desk.form?.alertID)
    unlistedCount = desk.picture.machines.reduce(0) { $0 + $1.unlistedCount }
    let far = desk.picture.machines.flatMap { machine in machine.waiting.requests.map { WaitingRow($0) } }
    listedElsewhere = Set(far.map(\.id))
    var alerts = WaitingAlerts(desk)
    var aside: [WaitingRow] = []
    places.reserveCapacity(desk.data.waiting.count)
    for listed in [desk.data.waiting, far] {
      for item in listed where desk.closing[item.id] == nil { add(item, alerts.place(of: item), &aside) }
    }
    listedCount = items.count
    for (alert, place) in alerts.all where places[alert.id] == nil && desk.closing[alert.id] == nil {
      add(WaitingRow(alert, at: desk.now.wall), place, &aside)
    }
    hasShared = alerts.areShared
    lineCount = items.count { !$0.isNotice }
    asideCount = aside.count
    items += aside
  }

  private mutating func add(_ item: WaitingRow, _ place: WaitingPlace, _ aside: inout [WaitingRow]) {
    if item.isNotice { notices.insert(item.id) }
    let index = place.isAside ? aside.count : items.count
    // Of two items with one id, the first counts. There are hardly ever two, so the place is looked up only once.
    if let first = places.updateValue((index, place), forKey: item.id) { places[item.id] = first }
    if place.isAside { aside.append(item) } else { items.append(item) }
  }

  /// Whether the line is still what it was made from.
  func isCurrent(on desk: Desk) -> Bool { revision == desk.revision && shown == desk.form?.alertID }

  /// Notes that the alert on the screen has come up from the line, since the line was made. Nothing else changes with that,
  /// so the line need not be made again.
  mutating func noteComeUp(_ alert: Alert, on desk: Desk) {
    guard !hasShared, (places[alert.id]?.index ?? 0) <= listedCount,
      alert.items.allSatisfy({ places[$0].map { $0.place == .inLine } ?? true })
    else { return }
    for id in alert.items { places[id]?.place = .onScreen }
    (revision, shown) = (desk.revision, alert.id)
  }

  /// The items that were not set aside.
  var line: ArraySlice<WaitingRow> { items.dropLast(asideCount) }

  /// Returns the place of the alert that answers the item. Several items can share one alert.
  func place(of item: WaitingRow) -> WaitingPlace { places[item.id]?.place ?? .inLine }

  subscript(id: Alert.ID) -> WaitingRow? {
    places[id].map { index, place in items[place.isAside ? line.count + index : index] }
  }
}

/// The alerts at a dashboard, by the items that they answer.
private struct WaitingAlerts {
  /// The alert on the screen, those that can come up here, and those that were set aside here.
  let all: [(alert: Alert, place: WaitingPlace)]
  private let shown: Alert.ID?
  /// The places of the alerts that answer an item.
  private var places: [Alert.ID: WaitingPlace] = [:]
  /// The places of the alerts that further requests can still join, by what they ask. A request of this machine never joins
  /// an alert of another one. Rarely needed, because most items have an alert of their own.
  private lazy var openPlaces: [AlertKey: WaitingPlace] = {
    let open = all.compactMap { alert, place in
      place == .onScreen || !alert.isOfThisMachine ? nil : alert.request.map { (AlertKey($0.request), place) }
    }
    return Dictionary(open) { first, _ in first }
  }()

  /// Whether an item was found to share an alert by what it asks.
  private(set) var areShared = false

  init(_ desk: Desk) {
    let shown = desk.form?.alertID
    let placed = { (alerts: [Alert], place: WaitingPlace) in
      alerts.map { (alert: $0, place: $0.id == shown ? .onScreen : place) }
    }
    self.shown = shown
    all =
      placed([desk.shownAlert].compactMap(\.self), .onScreen) + placed(desk.arrived, .inLine)
      + placed(desk.setAside, .setAside)
    places.reserveCapacity(all.count)
    // An alert can go on for other requests than the one that began it, which can be asked again. The first alert that
    // answers a request is noted last, and counts.
    for (alert, place) in all where alert.requestIDs.first?.text != alert.id.text { places[alert.id] = place }
    for (alert, place) in all.reversed() {
      for request in alert.requestIDs { places[Alert.ID(request.text, machine: alert.id.machine)] = place }
    }
  }

  mutating func place(of item: WaitingRow) -> WaitingPlace {
    if let place = places[item.id] ?? placeOfShared(item) { return place }
    if item.id == shown { return .onScreen }
    if item.isSetAside { return .setAsideElsewhere }
    if item.terminal != nil { return .onTerminal }
    return item.isElsewhere ? .elsewhere : .inLine
  }

  /// Returns the place of the alert that the item shares with others; `nil` if there is none.
  private mutating func placeOfShared(_ item: WaitingRow) -> WaitingPlace? {
    guard item.isOfThisMachine, !all.isEmpty, let request = item.request else { return nil }
    let place = openPlaces[AlertKey(request)]
    if place != nil { areShared = true }
    return place
  }
}

extension Desk {
  /// The number of requests and questions that wait for an answer, including alerts that are not in the store.
  var waitingCount: Int { waiting.items.count - waiting.notices.count + waiting.unlistedCount }

  /// Whether the request of a waiting item can be picked. Another machine must have listed it.
  func canPick(_ item: WaitingRow) -> Bool {
    item.request != nil && (item.isOfThisMachine || waiting.listedElsewhere.contains(item.id))
  }

  /// The number of items that wait, in words: `2 waiting`, or `2 waiting, 1 notice` with a notice that is not on the
  /// screen.
  var waitingWords: String {
    let unread = waiting.notices.count { $0 != form?.alertID }
    return "\(waitingCount) waiting" + (unread == 0 ? "" : ", \(unread) notice\(unread == 1 ? "" : "s")")
  }

  var waitingItems: [WaitingRow] { waiting.items }

  /// Whether nothing is decided and nothing waits, as at the first start.
  var hasNothingToShow: Bool { data.allowedCount + data.deniedCount == 0 && waitingItems.isEmpty }

  /// The waiting items, program by program. The program that has waited longest comes first.
  var waitingByProgram: [WaitingRow] {
    let groups = Dictionary(grouping: waitingItems.enumerated()) {
      WaitingGroup(machine: $1.id.machine, program: $1.request?.subject)
    }
    return groups.values.sorted { $0[0].offset < $1[0].offset }.flatMap { $0.map(\.element) }
  }

  func place(of item: WaitingRow) -> WaitingPlace { waiting.place(of: item) }

  /// Returns the place of the item in words.
  func whereabouts(of item: WaitingRow) -> String {
    let place = whereaboutsHere(of: item)
    return machineName(of: item.id).map { "on \($0), \(place)" } ?? place
  }

  private func whereaboutsHere(of item: WaitingRow) -> String {
    switch place(of: item) {
    case .onScreen: "on screen"
    case .inLine: "in line"
    case .setAside, .setAsideElsewhere: "set aside"
    case .elsewhere: "elsewhere"
    case .onTerminal: "on \(item.terminal.map(visible) ?? "a terminal")"
    }
  }

  /// Returns the reason why an item has no answer yet, in words.
  ///
  /// - Parameter shows: The means to show an item that was set aside, and their verb; `nil` for the key that opens it.
  func reason(for item: WaitingRow, shows: String? = nil) -> String {
    let shows = shows ?? "\(key(.open)) shows"
    return switch place(of: item) {
    case .onScreen: "on this screen"
    case .setAside: "set aside; \(shows) it"
    case .setAsideElsewhere: "set aside at another dashboard; \(shows) it"
    case .elsewhere: "on the screen of another dashboard"
    case .onTerminal: "asked \(whereabouts(of: item))"
    case .inLine:
      waiting.line.first { place(of: $0) == .inLine }.flatMap { $0.id == item.id ? nil : $0 }
        .map { "in line after \(visible($0.summary))" } ?? "in line, and comes up next"
    }
  }

  /// The alert on the screen, unless it was withdrawn.
  fileprivate var shownAlert: Alert? { form?.isWithdrawn == false ? form?.alert : nil }
}

/// The requests of one program on one machine.
private struct WaitingGroup: Hashable {
  var machine: String
  var program: Subject?
}

enum WaitingPlace: Sendable {
  case onScreen, inLine, setAside
  /// Set aside at another dashboard, or at an earlier one.
  case setAsideElsewhere
  /// At another dashboard, the one that programs reach.
  case elsewhere
  /// On the program's own terminal.
  case onTerminal

  var isAside: Bool { self == .setAside || self == .setAsideElsewhere }
}

extension Alert {
  var request: RequestAlert? {
    if case .request(let request) = content { request } else { nil }
  }
}

extension WaitingRow {
  init(_ alert: Alert, at moment: Timestamp) {
    let (title, message) =
      switch alert.content {
      case .request: ("", "")
      case .confirmation(let confirmation): (confirmation.title, confirmation.message)
      case .notice(let notice): (notice.title, notice.message)
      }
    let request = alert.request?.request
    self.init(
      id: alert.id, title: title, request: request, askedAt: request?.askedAt ?? moment, message: message)
    if case .notice = alert.content { isNotice = true }
    if let identity = alert.request?.identity { note(identity) }
  }

  /// Creates the item of a request on another machine.
  fileprivate init(_ pending: PendingRequest) {
    self.init(pending.alert, at: pending.request.askedAt)
    isSetAside = pending.waiting.setAsideAt != nil
    terminal = pending.waiting.terminal
  }

  /// Adds the warnings that follow from comparing the program's name with earlier decisions.
  mutating func note(_ identity: IdentityCheck) {
    guard let request else { return }
    warnings = request.warnings(identity)
    isSuspicious = identity.isSuspicious(label: request.subject.label)
  }
}
