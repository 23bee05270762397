import Machine
import PermBroker
import PermModel

/// The data and the open form of a dashboard. The full-screen and the line-by-line dashboard share this type.
struct Desk: Sendable {
  @CopyOnWrite private(set) var context: DashboardContext
  /// The time of the last action.
  var now: EventTime { didSet { today = context.clock.day(of: now.wall) } }
  /// The day of that time. Times are shown relative to it.
  private(set) var today: DayNumber
  /// The time at which the dashboard opened. Decisions made earlier are not news.
  let openedAt: Timestamp
  @CopyOnWrite var data = DashboardData()
  /// The rows of the desktop's permission store.
  @CopyOnWrite var desktop = DesktopEntries()
  /// The changes of those rows that were made here.
  var desktopHistory = DesktopHistory()
  /// The number of changes so far to the data that the lists show.
  var revision = 0

  @CopyOnWrite var form: Form?
  /// The alerts at this dashboard, as they are on the board.
  var picture = DashboardPicture()
  /// The person's responses to alerts that the board still shows here.
  var responses: [DashboardPicture.Turn: Response] = [:]
  /// The alerts that the person asked for. They come up without the usual wait.
  var wanted: Set<Alert.ID> = []
  /// All waiting items: the alerts of this dashboard, and the items that wait elsewhere.
  @CopyOnWrite private(set) var waiting = WaitingLine()
  private var announcedCount = 0
  /// The requests of the alert that the person answered last, and the answer.
  var lastAnswer: (requests: Set<Request.ID>, verdict: Verdict) = ([], .deny)
  /// The requests and alerts that the person has just answered, with the times of the answers in monotonic milliseconds.
  /// They no longer count as waiting, although the store might not have closed them yet.
  var closing: [Alert.ID: Int64] = [:]
  /// The lifetime of the answer that the person is about to give to several requests; `nil` to choose it in the form.
  var togetherLifetime: LifetimeChoice?
  /// Whether the person asked, from a form, to see everything that waits.
  var opensWaiting = false
  /// The round of answers through everything that waits; `nil` in a dashboard.
  var round: AnswerRound?
  /// Whether the person keeps alerts from coming up unprompted.
  var isOnHold = false

  var report: Report? {
    didSet {
      guard let report, report.isUndoable || report.isRedoable else { return }
      desktopHistory = DesktopHistory()
      if report.isUndoable { (reportedChange, reportedAt) = (nil, now.wall) }
    }
  }
  private var announced: String?
  /// The next event, in words, while nothing waits before it; `nil` if none is known.
  var announcement: String? { waitingItems.isEmpty ? announced : nil }
  /// A message that the person has not seen yet. Neither a report nor an alert takes its place.
  var warning: String?
  /// The time of the latest report about a change that undo would take back.
  private(set) var reportedAt = Timestamp(microseconds: 0)
  /// The change that ``report`` is about; `nil` until the store has made it.
  var reportedChange: DecisionChange.ID?
  /// The examples that are running or have run, by capability.
  var examples: [String: ExampleState] = [:]
  @CopyOnWrite var marks = ChangeMarks()
  /// The decisions that have ended in this update.
  var ended: [DecisionRow] = []
  /// The decisions whose end is not announced yet.
  var unannounced: [DecisionRow] = []
  /// The ends that were noted during the last minute.
  var announcedEnds: [DecisionRow.ID: Timestamp] = [:]
  /// The guard that decides when an alert may appear, and which key press is accepted as an answer.
  var prompt: PromptGuard<Key>
  /// The time of the last key before an alert was closed because nobody was there; `nil` if that has not happened.
  var absentSince: Int64?
  /// Whether the person is at this window, as far as the terminal says so.
  var presence = Presence()

  init(_ context: DashboardContext, at moment: EventTime) {
    self.context = context
    now = moment
    today = context.clock.day(of: moment.wall)
    openedAt = moment.wall
    prompt = PromptGuard(context.preferences.times, at: moment.milliseconds)
  }

  var typesetter: Typesetter { Typesetter(measure: context.measure) }
}

enum ExampleState: Hashable, Sendable {
  case running
  case ended(ExampleOutcome, at: Timestamp)
}

/// The kinds of alerts that are allowed to come up now.
enum AlertPolicy: Sendable {
  /// No alert, because the person is typing or the screen has no space for an alert.
  case none
  /// Only the alerts that the person asked for.
  case wanted
  case all
}

/// The settings of a dashboard, and the services that it uses.
struct DashboardContext: Sendable {
  var measure: any CellMeasure
  var clock: ClockFormat
  /// The id that is recorded with every change made in this dashboard.
  var dashboardID: String
  var preferences = Preferences()
  /// Whether this is the demo, which uses a throw-away store.
  var isDemo = false
  /// The time at which this machine was started, by which the starts of processes are counted; `nil` if it is not known.
  var booted: Timestamp?

  var keys: KeyTable { preferences.keys }
}

// MARK: - Update

extension Desk {
  /// Handles an action, and returns its effects. On the monotonic clock, `moment` is never earlier than in
  /// the previous call.
  mutating func update(_ action: Action, _ room: AlertPolicy, at moment: EventTime) -> [Effect] {
    begin(at: moment)
    let effects = take(action)
    refresh()
    noteRound(action)
    return effects + settle(room)
  }

  /// Takes the data of the first frame. The first update announces what waits.
  mutating func begin(with data: DashboardData) {
    _ = take(.changed(data))
    refresh()
  }

  /// Begins an update: sets the current time, and marks lines as seen if they have been on the screen long enough.
  mutating func begin(at moment: EventTime) {
    now = moment
    ended = []
    dropClosing { $0 + Self.closingTime <= moment.milliseconds }
    let visible = prompt.times.visible
    if form != nil { form?.seen.advance(to: moment.milliseconds, after: visible) }
    offerToTakeBack()
  }

  /// Handles the action, as the second part of an update. The desk's owner handles keys, pastes and sizes.
  mutating func take(_ action: Action) -> [Effect] {
    switch action {
    case .keys, .paste, .resized: break
    case .noise, .mouse: disturb()
    case .hasRead(let problem?) where form == nil: report = Report(text: problem, isError: true)
    case .hasRead(let problem): form?.hint = problem
    case .heldUp: restartWait()
    case .focused, .unfocused: noteFocus(action)
    case .stalled: noteStalled()
    case .repeated: prompt.repeat(at: now.milliseconds)
    case .tick: return actOnPress() + (data.hasExpired(by: now.wall) ? [.refresh] : [])
    case .inputEnded: return [.quit(isInterrupt: false)]
    case .changed(let data):
      noteEnds(of: self.data.ended(by: now.wall))
      self.data = data
      revision += 1
      if !data.waiting.contains(where: { closing[$0.id] != nil }) { closing = [:] }
      withdrawPicked()
    case .noticed(let news):
      marks.note(news, dashboardID: context.dashboardID)
      if let made = news.last(where: { $0.origin == origin })?.change { reportedChange = made }
      noteUndone(news)
      revision += 1
    case .pictured(let picture):
      take(picture)
      withdrawPicked()
    case .unanswered(let id): dropResponse(to: id)
    case .answeredInAgent(let id): noteAnsweredInAgent(id)
    case .answeredElsewhere(let other): return take(other)
    case .picked(let requests, let verdict): return take(picked: requests, verdict)
    case .found(let step, let preview): return take(found: preview, step)
    case .took(let step, let change):
      report = report(of: change, step)
      reportedChange = change.id
    case .tookAll(let step, let changes): report = report(of: changes, step)
    case .tookBack(let kept): report(kept)
    case .desktop(let news): take(news)
    case .changedDesktop(let change, let step): take(change, step)
    case .configured(let preferences): take(preferences)
    case .exampleEnded(let capability, let outcome): examples[capability] = .ended(outcome, at: now.wall)
    case .warned(let text): warning = text
    case .reported(let report):
      self.report = report
      if report.isError { dropClosing { _ in true } }
    case .announced(let text):
      announced = text
      if announcement != nil { report = nil }
    }
    return []
  }

  /// Takes over the person's new settings. The wait before an answer restarts, because a key might have another meaning.
  private mutating func take(_ preferences: Preferences) {
    context.preferences = preferences
    prompt.times = preferences.times
    restartWait()
    revision += 1
  }

  /// Refreshes everything that is made from the data, as the third part of an update.
  mutating func refresh() {
    refreshWaiting()
    noteEnds(of: data.ended(by: now.wall))
    if data.hasExpired(by: now.wall), data.dropExpired(at: now.wall) { revision += 1 }
  }

  /// Ends an update: shows the next alert if it may come up now. If the number of waiting items has changed, announces
  /// the new number.
  mutating func settle(_ room: AlertPolicy) -> [Effect] {
    let wasCurrent = waiting.isCurrent(on: self)
    if let alert = showNextAlert(room), wasCurrent { waiting.noteComeUp(alert, on: self) }
    if form == nil { prompt.close() }
    refreshWaiting()
    return announce() + nextInRound(room)
  }

  /// Rebuilds the waiting line if the data that it is made from has changed, and tells an alert that has just appeared
  /// how long the line is.
  private mutating func refreshWaiting() {
    if !waiting.isCurrent(on: self) { waiting = WaitingLine(self) }
    let length = max(1, waiting.lineCount)
    if let form, form.lineLength == nil { self.form?.lineLength = length }
  }

  /// If the number of waiting items has changed, sets the title. If the number has grown, also rings the bell.
  private mutating func announce() -> [Effect] {
    let before = announcedCount
    announcedCount = waitingItems.count
    guard announcedCount != before else { return [] }
    let bell = announcedCount > before && context.preferences.rings ? [Effect.bell] : []
    guard context.preferences.setsTitle else { return bell }
    return bell + [.title(waitingCount == 0 ? "PermTUI" : "PermTUI: \(waitingCount) waiting")]
  }
}
