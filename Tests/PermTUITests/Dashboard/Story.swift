import Machine
import PermBroker
import PermModel

@testable import PermTUI

/// The alerts that a test presents.
struct AlertScreen {
  private var picture = DashboardPicture()
  private var lastNumber = 0

  mutating func present(_ alert: Alert) -> DashboardPicture {
    lastNumber += 1
    _ = withdraw(alert.id)
    picture.shown.append(.init(alert, .init(number: lastNumber)))
    return picture
  }

  mutating func withdraw(_ id: Alert.ID) -> DashboardPicture {
    picture.shown.removeAll { $0.alert.id == id }
    picture.aside.removeAll { $0.id == id }
    return picture
  }

  mutating func back(_ id: Alert.ID, _ isBacked: Bool) -> DashboardPicture {
    for index in picture.shown.indices where picture.shown[index].alert.id == id {
      picture.shown[index].isBacked = isBacked
    }
    return picture
  }
}

/// The dashboard in a test: a state, a clock that the test controls, and the effects.
struct Story {
  /// Wednesday, 14 October 2026, 14:03:30 UTC.
  static let start = Timestamp(seconds: 1_791_986_610)

  private(set) var state: State
  private(set) var effects: [Effect] = []
  /// All effects, with their times.
  private(set) var moments: [(at: Int64, effect: Effect)] = []
  /// Whether the terminal accepts no frame.
  var isFrozen = false
  /// The requests that the person picked from lists.
  private(set) var picks: [Alert.ID] = []
  /// The times at which forms were closed.
  private(set) var formEnds: [Int64] = []
  private var milliseconds: Int64 = 1_000
  private var screen = AlertScreen()

  init(
    width: Int = 80, height: Int = 24, data: DashboardData = Samples.data, isDemo: Bool = false,
    isRound: Bool = false,
    measure: any CellMeasure = TestCellMeasure(), settings: (inout DashboardContext) -> Void = { _ in }
  ) {
    let clock = ClockFormat { LocalTime(utc: $0) }
    var context = DashboardContext(
      measure: measure, clock: clock, dashboardID: Samples.here, isDemo: isDemo)
    settings(&context)
    var desk = Desk(context, at: EventTime(milliseconds: milliseconds, wall: Self.start))
    if isRound { desk.round = AnswerRound() }
    state = State(desk: desk, size: Size(width: width, height: height))
    if isRound { state.screens = [.waiting] }
    happen(.changed(data))
    effects = []
  }

  var desk: Desk { state.desk }

  var now: EventTime {
    EventTime(
      milliseconds: milliseconds,
      wall: Timestamp(microseconds: Self.start.microseconds + (milliseconds - 1_000) * 1_000))
  }

  /// Performs an action, and paints the result.
  mutating func happen(_ action: Action) {
    let hadForm = state.desk.form != nil
    let new = state.update(action, at: now)
    if hadForm, state.desk.form == nil { formEnds.append(milliseconds) }
    for case .pick(let ids, _) in new { picks += ids }
    let picture = desk.picture
    let reactions = new.compactMap { Samples.reaction(to: $0, in: desk.data, picture) }
    let deeds =
      reactions.isEmpty ? new : new.filter { Samples.reaction(to: $0, in: desk.data, picture) == nil }
    effects += deeds
    moments += deeds.map { (milliseconds, $0) }
    if !isFrozen { state.painted(at: now) }
    reactions.forEach { happen($0) }
  }

  /// Advances the time, waking the dashboard at each of its deadlines as the event loop does.
  mutating func wait(_ duration: Int64) {
    let end = milliseconds + duration
    while let deadline = state.nextDeadline, deadline <= end {
      milliseconds = max(milliseconds, deadline)
      happen(.tick)
      if let next = state.nextDeadline, next <= milliseconds { break }
    }
    milliseconds = end
  }

  /// Presses keys deliberately, each long enough after the previous one, and waits for the effect.
  mutating func strike(_ keys: Key...) {
    for key in keys {
      wait(400)
      happen(.keys([key]))
      wait(300)
    }
  }

  /// Presses keys in quick succession, as a person does in a list.
  mutating func press(_ keys: Key...) {
    for key in keys {
      wait(40)
      happen(.keys([key]))
    }
  }

  mutating func type(_ text: String) {
    for character in text { press(.character(character)) }
  }

  /// Presents an alert and waits until it is on the screen and armed.
  mutating func show(_ alert: Alert) {
    present(alert)
    wait(1_200)
  }

  /// Presents an alert: new, again, or as it is now.
  mutating func present(_ alert: Alert) { happen(.pictured(screen.present(alert))) }

  mutating func withdraw(_ id: Alert.ID) { happen(.pictured(screen.withdraw(id))) }

  /// Lets the broker behind an alert go, or another one show the same alert.
  mutating func back(_ id: Alert.ID, _ isBacked: Bool) { happen(.pictured(screen.back(id, isBacked))) }

  /// Returns the effects since the last call.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  var grid: Grid { Grid(showing: state, size: state.size) }
}

extension [Effect] {
  /// The effects that do not concern bell, title and reading.
  var deeds: [Effect] {
    filter {
      switch $0 {
      case .bell, .title, .read: false
      default: true
      }
    }
  }
}
