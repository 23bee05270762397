import PermModel

/// The data of a dashboard and its open form: the same on a screen and line by line.
struct Desk: Sendable {
  let surroundings: Surroundings
  /// When the last action happened.
  var now: EventTime
  /// When the dashboard opened. Older decisions are not news.
  let openedAt: Timestamp
  var data = DashboardData()
  /// The number of changes so far to anything that lists are made from.
  var revision = 0

  var form: Form?
  /// Alerts that have not appeared yet, because a key was pressed just now or something else is being read.
  var arrived: [Alert] = []
  var setAside: [Alert] = []
  /// Alerts that the person asked for, which do not come by themselves.
  var wanted: Set<Alert.ID> = []
  /// All of these in one line, with the alerts that wait elsewhere.
  private(set) var waiting = WaitingLine()
  private var announcedCount = 0

  var report: Report?
  /// Examples that run or ran, by capability.
  var examples: [String: ExampleState] = [:]
  var marks = ChangeMarks()
  /// Decides when an alert may appear, and which key counts as an answer to it.
  var prompt: PromptGuard<Key>

  init(_ surroundings: Surroundings, at moment: EventTime) {
    self.surroundings = surroundings
    now = moment
    openedAt = moment.wall
    prompt = PromptGuard(surroundings.times, at: moment.milliseconds)
  }

  var typesetter: Typesetter { Typesetter(measure: surroundings.measure) }
}

enum ExampleState: Hashable, Sendable {
  case running
  case ended(ExampleOutcome, at: Timestamp)
}

/// The alerts that may come up now.
enum AlertRoom: Sendable {
  /// None: something is being typed, or an alert could not be shown.
  case none
  /// Only those that the person asked for.
  case wanted
  case all
}

/// The settings and services that do not change while the dashboard runs.
struct Surroundings: Sendable {
  var measure: any CellMeasure
  var clock: ClockFormat
  /// The id that changes made here carry.
  var dashboardID: String
  var keys = KeyTable()
  /// Whether this is the demo, on a throw-away store.
  var isDemo = false
  /// Whether something that waits may ring the terminal and set its title.
  var rings = true
  var setsTitle = true
  /// The times that decide when an alert appears and which key answers it.
  var times = PromptTimes()
}

// MARK: - Update

extension Desk {
  /// Handles an action, and returns its effects. Moments never go back on the monotonic clock.
  mutating func update(_ action: Action, _ room: AlertRoom, at moment: EventTime) -> [Effect] {
    begin(at: moment)
    let effects = take(action)
    refresh()
    return effects + settle(room)
  }

  /// The first part of an update: lets time pass.
  mutating func begin(at moment: EventTime) {
    now = moment
    form?.seen.advance(to: now.milliseconds, after: prompt.times.visible)
  }

  /// The second part of an update. The desk's owner handles keys, pastes and sizes.
  mutating func take(_ action: Action) -> [Effect] {
    switch action {
    case .keys, .paste, .resized: break
    case .noise: disturb()
    case .heldUp, .focused: restartWait()
    case .repeated: prompt.repeat(at: now.milliseconds)
    case .tick: return actOnPress() + (data.nextExpiry.map { $0 <= now.wall } == true ? [.refresh] : [])
    case .inputEnded: return [.quit(isInterrupt: false)]
    case .changed(let data):
      self.data = data
      revision += 1
    case .noticed(let news):
      marks.note(news, dashboardID: surroundings.dashboardID)
      revision += 1
    case .presented(let alert): take(presented: alert)
    case .withdrawn(let id): withdraw(id)
    case .backed(let id, let isBacked): setBacked(isBacked, id)
    case .exampleEnded(let capability, let outcome): examples[capability] = .ended(outcome, at: now.wall)
    case .reported(let report): self.report = report
    }
    return []
  }

  /// The third part of an update: refreshes everything that is made from the data.
  mutating func refresh() {
    refreshWaiting()
    if data.dropExpired(at: now.wall) { revision += 1 }
  }

  /// The last part of an update: shows the next alert if there is room for it.
  mutating func settle(_ room: AlertRoom) -> [Effect] {
    showNextAlert(room)
    if form == nil { prompt.close() }
    refreshWaiting()
    return announce()
  }

  /// Makes the waiting line again if something about it has changed.
  private mutating func refreshWaiting() {
    if waiting.revision != revision { waiting = WaitingLine(self) }
  }

  /// Rings and sets the title if the number of waiting items has changed.
  private mutating func announce() -> [Effect] {
    let before = announcedCount
    announcedCount = waitingCount
    guard waitingCount != before else { return [] }
    let bell = waitingCount > before && surroundings.rings ? [Effect.bell] : []
    guard surroundings.setsTitle else { return bell }
    return bell + [.title(waitingCount == 0 ? "PermTUI" : "PermTUI: \(waitingCount) waiting")]
  }
}
