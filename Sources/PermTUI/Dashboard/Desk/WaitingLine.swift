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
  /// The ids of the items that are not here only as alerts.
  private(set) var listed: Set<Alert.ID> = []
  /// The indices of the items in the line, and the places where they wait.
  private var places: [Alert.ID: (index: Int, place: WaitingPlace)] = [:]

  init() {}

  init(_ desk: Desk) {
    let far = desk.picture.machines.flatMap { machine in machine.waiting.requests.map { WaitingRow($0) } }
    listed = Set((desk.data.waiting + far).map(\.id))
    unlistedCount = desk.picture.machines.reduce(0) { $0 + $1.unlistedCount }
    var alerts = WaitingAlerts(desk)
    let here = alerts.all.filter { !listed.contains($0.id) }
    var aside: [(WaitingRow, WaitingPlace)] = []
    for item in desk.data.waiting + far + here.map({ WaitingRow($0, at: desk.now.wall) })
    where desk.closing[item.id] == nil {
      let place = alerts.place(of: item)
      if place.isAside { aside.append((item, place)) } else { append(item, place) }
    }
    (revision, shown) = (desk.revision, desk.form?.alertID)
    lineCount = items.count - notices.count
    asideCount = aside.count
    for (item, place) in aside { append(item, place) }
  }

  private mutating func append(_ item: WaitingRow, _ place: WaitingPlace) {
    if item.isNotice { notices.insert(item.id) }
    if places[item.id] == nil { places[item.id] = (items.count, place) }
    items.append(item)
  }

  /// Whether the line is still what it was made from.
  func isCurrent(on desk: Desk) -> Bool { revision == desk.revision && shown == desk.form?.alertID }

  /// The items that were not set aside.
  var line: ArraySlice<WaitingRow> { items.dropLast(asideCount) }

  /// Returns the place of the alert that answers the item. Several items can share one alert.
  func place(of item: WaitingRow) -> WaitingPlace { places[item.id]?.place ?? .inLine }

  subscript(id: Alert.ID) -> WaitingRow? { places[id].map { items[$0.index] } }
}

/// The alerts at a dashboard, by the items that they answer.
private struct WaitingAlerts {
  /// The alert on the screen, those that can come up here, and those that were set aside here.
  let all: [Alert]
  private let shown: Alert.ID?
  private let arrived: Set<Alert.ID>
  private let setAside: Set<Alert.ID>
  /// The id of the alert that shows a request. The key is the request's id.
  private let alerts: [Alert.ID: Alert.ID]
  /// The alerts that further requests can still join. A request of this machine never joins an alert of another one.
  private let open: [Alert]
  /// The ids of those alerts, by what they ask. Rarely needed, because most items have an alert of their own.
  private lazy var openIDs: [AlertKey: Alert.ID] = {
    let keys = open.compactMap { alert in alert.request.map { (AlertKey($0.request), alert.id) } }
    return Dictionary(keys) { first, _ in first }
  }()

  init(_ desk: Desk) {
    let (arrived, setAside) = (desk.arrived, desk.setAside)
    all = [desk.shownAlert].compactMap(\.self) + arrived + setAside
    shown = desk.form?.alertID
    (self.arrived, self.setAside) = (Set(arrived.map(\.id)), Set(setAside.map(\.id)))
    let ids = all.flatMap { alert in alert.requestItems.map { ($0, alert.id) } }
    alerts = Dictionary(ids) { first, _ in first }
    open = (arrived + setAside).filter(\.isOfThisMachine)
  }

  mutating func place(of item: WaitingRow) -> WaitingPlace {
    let alert = alert(for: item)
    if alert == shown { return .onScreen }
    if setAside.contains(alert) { return .setAside }
    if arrived.contains(alert) { return .inLine }
    if item.isSetAside { return .setAsideElsewhere }
    if item.terminal != nil { return .onTerminal }
    return item.isElsewhere ? .elsewhere : .inLine
  }

  /// Returns the alert that answers the item: the item's own alert, or the alert that the item shares with others.
  private mutating func alert(for item: WaitingRow) -> Alert.ID {
    if let alert = alerts[item.id] ?? (item.id.machine.isEmpty ? nil : item.id) { return alert }
    guard !open.isEmpty, let request = item.request else { return item.id }
    return openIDs[AlertKey(request)] ?? item.id
  }
}

extension Desk {
  /// The number of requests and questions that wait for an answer, including alerts that are not in the store.
  var waitingCount: Int { waiting.items.count - waiting.notices.count + waiting.unlistedCount }

  /// Whether the request of a waiting item can be picked. Another machine must have listed it.
  func canPick(_ item: WaitingRow) -> Bool {
    item.request != nil && (item.isOfThisMachine || waiting.listed.contains(item.id))
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
