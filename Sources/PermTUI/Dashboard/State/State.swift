import PermModel

/// The whole state of the screen, as a value. Only `update` changes it, and `render` only draws it.
struct State: Sendable {
  var desk: Desk
  var size: Size
  /// The open views. The last one is on the screen. Never empty.
  var screens: [Screen] = [.first] {
    didSet { exchangePlace(from: oldValue.last ?? .first) }
  }
  /// The place of the view on the screen.
  var list = ViewPlace()
  /// The places of the other views that have been open, so that each comes back as it was left.
  private var places: [Screen: ViewPlace] = [:]
  /// Whether the list's filter has the focus and receives the keys.
  var isTypingFilter = false
  /// The waiting items that the person has marked in order to answer them together.
  var marked: Set<Alert.ID> = []
  /// The capabilities that are folded into one row of the first view.
  var absent: [CapabilityRow] = []
  /// Whether the last key asked to leave while something waits. The same key leaves then.
  var isLeaving = false
  /// The data that was last requested for the open view.
  var needs = StoreNeeds()

  init(desk: Desk, size: Size) {
    self.desk = desk
    self.size = size
  }
}

extension State {
  /// The size of the smallest screen on which requests can be answered. A smaller screen only shows a line that says so,
  /// and no key answers anything. From 60×15 on, every view can be used in full.
  static let smallest = Size(width: 40, height: 10)

  var isTooSmall: Bool { size.width < Self.smallest.width || size.height < Self.smallest.height }

  var screen: Screen { screens.last ?? .first }

  /// Returns what a view remembers, whether or not it is on the screen.
  func place(of screen: Screen) -> ViewPlace {
    screen == self.screen ? list : places[screen] ?? ViewPlace()
  }

  private mutating func exchangePlace(from old: Screen) {
    guard old != screen else { return }
    places[old] = list
    list = places.removeValue(forKey: screen) ?? ViewPlace()
  }

  /// The context in which keys are looked up.
  var context: KeyContext { desk.form?.context ?? screen.context }

  /// The alerts that are allowed to come up now. While the person works in a list, no alert appears automatically.
  private var room: AlertPolicy {
    if isTypingFilter || isTooSmall { return .none }
    return screen.view.isWorkplace || desk.isOnHold ? .wanted : .all
  }

  /// The time, in monotonic milliseconds, at which the event loop must wake up even if there is no input;
  /// `nil` if there is no such time.
  var nextDeadline: Int64? {
    [desk.nextDeadline(room, countingTo: visibleEnds), desk.endOfLoss].compactMap(\.self).min()
  }
}

// MARK: - Update

extension State {
  /// Handles an action, and returns its effects. On the monotonic clock, `moment` is never earlier than in
  /// the previous call.
  mutating func update(_ action: Action, at moment: EventTime) -> [Effect] {
    desk.begin(at: moment)
    var effects = take(action)
    if desk.opensWaiting { showWaiting() }
    if effects.contains(where: { if case .answerTogether = $0 { true } else { false } }) { marked = [] }
    desk.refresh()
    desk.announceEnds()
    refreshLists()
    desk.noteRound(action)
    effects += desk.settle(room)
    layForm()
    return effects + askToRead()
  }

  private mutating func take(_ action: Action) -> [Effect] {
    switch action {
    case .keys(let keys, let amidOthers): return take(keys, amidOthers: amidOthers)
    case .paste(let text) where isTypingFilter && desk.form == nil:
      desk.disturb()
      list.filter.paste(text)
    case .paste(let text): desk.paste(text)
    case .picked where isTypingFilter || isTooSmall:
      desk.report = Report(text: "No request was opened meanwhile.")
    case .resized(let size):
      self.size = size
      desk.restartWait()
    case .mouse(let mouse): return take(mouse)
    case .tick:
      desk.closeLost()
      return desk.take(action)
    default: return desk.take(action)
    }
    return []
  }

  private mutating func take(_ keys: [Key], amidOthers: Bool) -> [Effect] {
    desk.presence.isPasting = false
    guard desk.presence.hasFocus else {
      if keys.contains(.control("c")) { return [.quit(isInterrupt: true)] }
      desk.ignoreKeys()
      return []
    }
    if !desk.marks.isEmpty {
      let gone = desk.marks.gone.count
      desk.marks.see(visibleNews)
      if desk.marks.gone.count != gone { desk.revision += 1 }
    }
    let isAlone = keys.count == 1 && !amidOthers
    return keys.flatMap { press($0, isAlone: isAlone) }
  }

  /// Lays out the open form, and notes which of its lines are on the screen.
  private mutating func layForm() {
    guard let layout = formLayout else { return }
    let isVisible = isFormVisible
    desk.form?.lay(layout, isVisible: isVisible)
    if !isVisible { desk.prompt.cover() }
  }

  /// Whether the page with the facts is on the screen, which is required for answering the form.
  private var isFormVisible: Bool { desk.form?.page == .facts && !isTooSmall }

  /// Notes that a frame with the current state is completely painted.
  mutating func painted(at moment: EventTime) { if isFormVisible { desk.painted(at: moment) } }
}
