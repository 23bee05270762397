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
  /// Alerts that the person asked for, which do not come by themselves.
  var wanted: Set<Alert.ID> = []
  /// What all of these are, and what waits elsewhere, in one line.
  private(set) var waiting = WaitingLine()

  var report: Report?
  /// Examples that run or ran, by capability.
  var examples: [String: ExampleState] = [:]
  var marks = ChangeMarks()
  /// What the open view has asked to be read.
  var wish = ReadingWish()
  /// Whether everything shall be read: line by line, any word may ask for anything.
  var readsAll = false
  /// Decides when an alert may appear, and which key counts as an answer to it.
  var prompt: PromptGuard<Key>

  init(_ surroundings: Surroundings, size: Size, at moment: EventTime) {
    self.surroundings = surroundings
    self.size = size
    now = moment
    openedAt = moment.wall
    prompt = PromptGuard(surroundings.times, at: moment.milliseconds)
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

  /// Makes the line of what waits anew, where something about it has changed.
  mutating func refreshWaiting() {
    let sources = WaitingLine.Sources(self)
    if sources != waiting.sources { waiting = WaitingLine(self, sources) }
  }

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
}
