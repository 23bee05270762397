import PermModel

@testable import PermTUI

/// The dashboard in a test: a state, a clock that moves when it is told to, and what came out.
struct Story {
  /// Wednesday, 14 October 2026, 14:03:30 UTC.
  static let start = Timestamp(seconds: 1_791_986_610)

  private(set) var state: State
  private(set) var effects: [Effect] = []
  private var milliseconds: Int64 = 1_000

  init(
    width: Int = 80, height: Int = 24, data: DashboardData = Samples.data, isDemo: Bool = false,
    measure: any CellMeasure = TestCellMeasure()
  ) {
    let clock = ClockFormat { LocalTime(utc: $0) }
    let surroundings = Surroundings(
      measure: measure, clock: clock, dashboardID: Samples.here, isDemo: isDemo)
    state = State(
      surroundings, size: Size(width: width, height: height),
      at: EventTime(milliseconds: milliseconds, wall: Self.start))
    happen(.changed(data))
    effects = []
  }

  var now: EventTime {
    EventTime(
      milliseconds: milliseconds,
      wall: Timestamp(microseconds: Self.start.microseconds + (milliseconds - 1_000) * 1_000))
  }

  mutating func happen(_ action: Action) { effects += state.update(action, at: now) }

  /// Lets time pass, waking the dashboard at each of its deadlines as the event loop does.
  mutating func wait(_ duration: Int64) {
    let end = milliseconds + duration
    while let deadline = state.nextDeadline(), deadline <= end {
      milliseconds = max(milliseconds, deadline)
      happen(.tick)
      if let next = state.nextDeadline(), next <= milliseconds { break }
    }
    milliseconds = end
  }

  /// Presses keys one at a time, as a person does.
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
    happen(.presented(alert))
    wait(1_200)
  }

  /// What came out since the last call.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  var grid: Grid { Grid(showing: state, size: state.size) }
}

extension [Effect] {
  /// Those that are not about bell, title and reading.
  var deeds: [Effect] {
    filter {
      switch $0 {
      case .bell, .title, .read: false
      default: true
      }
    }
  }
}
