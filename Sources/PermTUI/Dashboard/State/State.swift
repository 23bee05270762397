import PermModel

/// Everything that the dashboard knows. A value: `update` is the only thing that changes it, `render` draws it.
struct State: Sendable {
  let surroundings: Surroundings
  var size: Size
  /// When the last action happened.
  var now: EventTime
  /// When the dashboard opened. Older decisions are not news.
  let openedAt: Timestamp
  var data = DashboardData()
  /// Counts the changes of everything that lists are made from.
  var revision = 0

  /// The open views, the one on the screen last. Never empty.
  var screens: [Screen] = [.capabilities]
  var lists: [Screen: ListState] = [:]
  /// Whether the filter of the list has the focus, and takes the keys.
  var isTypingFilter = false
  /// The column of the matrix that is selected, as a place among the capabilities.
  var matrixColumn = 0

  var form: Form?
  /// Alerts that have not appeared yet, because a key was pressed just now or something else is being read.
  var arrived: [Alert] = []
  /// What is marked among what waits, to be answered together.
  var marked: Set<Alert.ID> = []
  /// Alerts that the person put off.
  var setAside: [Alert] = []

  var report: Report?
  /// Examples that run or ran, by capability.
  var examples: [String: ExampleState] = [:]
  var marks = ChangeMarks()
  /// What the open view has asked to be read.
  var wish = ReadingWish()
  /// Whether everything shall be read: line by line, any word may ask for anything.
  var readsAll = false
  /// When there was input last, in monotonic milliseconds.
  var lastInput: Int64

  init(_ surroundings: Surroundings, size: Size, at moment: EventTime) {
    self.surroundings = surroundings
    self.size = size
    now = moment
    openedAt = moment.wall
    lastInput = moment.milliseconds
  }
}

/// Where the example of a capability stands.
enum ExampleState: Hashable, Sendable {
  case running
  case ended(ExampleOutcome, at: Timestamp)
}

extension State {
  /// The smallest screen that shows everything; below it there is one line that says so, and no key answers.
  static let smallest = Size(width: 60, height: 15)

  var isTooSmall: Bool { size.width < Self.smallest.width || size.height < Self.smallest.height }

  var screen: Screen { screens.last ?? .capabilities }

  var list: ListState {
    get { lists[screen] ?? ListState() }
    set { lists[screen] = newValue }
  }

  /// Where keys are looked up, the most particular place first.
  var contexts: [KeyContext] {
    if let form { return [form.context, .anywhere] }
    return [screen.context, .list, .anywhere]
  }

  /// Whether a line of text takes the keys.
  var isTyping: Bool { isTypingFilter || form?.entry != nil }

  /// Everything that waits for the person: what is in line, and what is not known to the store.
  var waitingCount: Int { waitingItems.count }

  /// What waits, in the order in which it will be shown: what is on the screen, what is in line, what was set aside.
  var waitingItems: [WaitingItem] {
    let known = Set(data.waiting.map(\.id))
    let shown = [
      form.flatMap { form -> Alert? in
        if case .alert(let alert) = form.content, !form.isWithdrawn { alert } else { nil }
      }
    ].compactMap(\.self)
    let unknown = (shown + arrived + setAside).filter { !known.contains($0.id) }
    let items = data.waiting + unknown.map { WaitingItem($0, at: now.wall) }
    let aside = Set(setAside.map(\.id))
    return items.filter { !aside.contains($0.id) } + items.filter { aside.contains($0.id) }
  }

  /// The item's state in one word: `on screen`, `in line`, `set aside`.
  func place(of item: WaitingItem) -> WaitingPlace {
    if form?.alertID == item.id { return .onScreen }
    return setAside.contains { $0.id == item.id } ? .setAside : .inLine
  }
}

/// Where something that waits is.
enum WaitingPlace: String, Sendable {
  case onScreen = "on screen"
  case inLine = "in line"
  case setAside = "set aside"
}

extension WaitingItem {
  init(_ alert: Alert, at moment: Timestamp) {
    var request: Request?
    var message = ""
    switch alert.content {
    case .request(let content): request = content.request
    case .confirmation(let confirmation): message = confirmation.message
    case .notice(let notice): message = notice.message
    }
    self.init(
      id: alert.id, summary: alert.summary, request: request, askedAt: request?.askedAt ?? moment,
      message: message)
  }
}
