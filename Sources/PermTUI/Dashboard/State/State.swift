import PermModel

/// The whole state of the screen. A value: only `update` changes it, and `render` draws it.
struct State: Sendable {
  var desk: Desk
  var size: Size
  /// The open views, the one on the screen last. Never empty.
  var screens: [Screen] = [.capabilities]
  var lists: [Screen: ListState] = [:]
  /// Whether the filter of the list has the focus, and takes the keys.
  var isTypingFilter = false
  /// The index of the selected capability in the matrix.
  var matrixColumn = 0
  /// The waiting items that are marked, to be answered together.
  var marked: Set<Alert.ID> = []
  /// The data that the open view has asked for.
  var wish = ReadingWish()
}

extension State {
  /// The size of the smallest screen that shows everything. Smaller ones show one line that says so, and no key
  /// answers.
  static let smallest = Size(width: 60, height: 15)

  var isTooSmall: Bool { size.width < Self.smallest.width || size.height < Self.smallest.height }

  var screen: Screen { screens.last ?? .capabilities }

  var list: ListState {
    get { lists[screen] ?? ListState() }
    set { lists[screen] = newValue }
  }

  /// The selected capability in the matrix.
  var matrixCapability: CapabilityRow? {
    desk.data.capabilities.indices.contains(matrixColumn) ? desk.data.capabilities[matrixColumn] : nil
  }

  /// The place in which keys are looked up.
  var context: KeyContext { desk.form?.context ?? screen.context }

  /// The alerts that may come up: none by itself over the waiting list, because the person works in it.
  private var room: AlertRoom {
    if isTypingFilter || isTooSmall { return .none }
    return screen == .waiting ? .wanted : .all
  }

  /// The time at which the loop must wake up although nothing happens, in monotonic milliseconds; `nil` if none.
  var nextDeadline: Int64? { desk.nextDeadline(room, countingTo: visibleEnds) }
}

// MARK: - Update

extension State {
  /// Handles an action, and returns its effects. Moments never go back on the monotonic clock.
  mutating func update(_ action: Action, at moment: EventTime) -> [Effect] {
    desk.begin(at: moment)
    var effects = take(action)
    if effects.contains(where: { if case .answerTogether = $0 { true } else { false } }) { marked = [] }
    desk.refresh()
    refreshLists()
    effects += desk.settle(room)
    layForm()
    return effects + askToRead()
  }

  private mutating func take(_ action: Action) -> [Effect] {
    switch action {
    case .keys(let keys): return take(keys)
    case .paste(let text) where isTypingFilter && desk.form == nil:
      desk.disturb()
      list.filter.paste(text)
    case .paste(let text): desk.paste(text)
    case .resized(let size):
      self.size = size
      desk.restartWait()
    default: return desk.take(action)
    }
    return []
  }

  private mutating func take(_ keys: [Key]) -> [Effect] {
    let gone = desk.marks.gone.count
    desk.marks.see(visibleNews)
    if desk.marks.gone.count != gone { desk.revision += 1 }
    return keys.flatMap { press($0) }
  }

  /// Lays the open form out, and notes which of its lines are on the screen.
  private mutating func layForm() {
    guard let layout = formLayout else { return }
    let isVisible = isFormVisible
    desk.form?.lay(layout, isVisible: isVisible)
    if !isVisible { desk.prompt.cover() }
  }

  /// Whether the facts are on the screen, so that the form may be answered.
  private var isFormVisible: Bool { desk.form?.page == .facts && !isTooSmall }

  /// Called when a frame with the present state is completely on the screen.
  mutating func painted(at moment: EventTime) { if isFormVisible { desk.painted(at: moment) } }
}
