import Machine
import PermModel

@testable import PermTUI

/// Plain mode in a test: a dialogue, a clock that the test controls, and the effects.
struct PlainStory {
  private(set) var dashboard: PlainDashboard
  private let record = EffectRecord()
  private var screen = AlertScreen()
  private var milliseconds: Int64 = 1_000
  /// All text on the paper: the output, and the echoed input.
  private(set) var paper = ""
  private(set) var bells = 0
  /// All effects, with their times.
  private(set) var moments: [(at: Int64, effect: Effect)] = []
  private(set) var drains = 0
  private(set) var exitCode: Int32?
  /// The width of the paper; 0 if the terminal does not know it.
  private let width: Int

  init(
    data: DashboardData = Samples.data, width: Int = 200, isRound: Bool = false,
    settings: (inout DashboardContext) -> Void = { _ in }
  ) {
    var context = DashboardContext(
      measure: TestCellMeasure(), clock: ClockFormat { LocalTime(utc: $0) }, dashboardID: Samples.here)
    settings(&context)
    self.width = width
    let start = EventTime(milliseconds: milliseconds, wall: Story.start)
    var desk = Desk(context, at: start)
    if isRound { desk.round = AnswerRound() }
    _ = desk.update(.changed(data), .none, at: start)
    let record = record
    let names = PlainNames(capabilities: { .builtIn }) { argument, _ in
      guard let label = argument.label else { throw CommandError("there is no file '\(argument.text)'") }
      return Subject(label: label)
    }
    dashboard = PlainDashboard(desk, names: names) { effect in
      if case .read = effect { return }
      record.effects.append(effect)
    }
    happen(.started)
  }

  var now: EventTime {
    EventTime(
      milliseconds: milliseconds,
      wall: Timestamp(microseconds: Story.start.microseconds + (milliseconds - 1_000) * 1_000))
  }

  mutating func happen(_ event: TerminalEvent<Action>) {
    let count = record.effects.count
    defer {
      let data = dashboard.desk.data
      let reactions = record.effects[count...].compactMap { Samples.reaction(to: $0, in: data) }
      record.effects.removeAll { Samples.reaction(to: $0, in: data) != nil }
      moments += record.effects[count...].map { (milliseconds, $0) }
      reactions.forEach { happen($0) }
    }
    for command in dashboard.handle(event, at: now) {
      switch command {
      case .ringBell: bells += 1
      case .quit(let code): exitCode = code
      case .setTitle, .copy, .read: break
      }
    }
    for part in dashboard.render(Size(width: width, height: 0)) {
      switch part {
      case .write(let text), .echo(let text): paper += text
      case .erase(let cells): paper.removeLast(cells)
      case .drainInput: drains += 1
      }
    }
    dashboard.painted(at: now)
  }

  mutating func happen(_ action: Action) { happen(TerminalEvent.message(action)) }

  /// Advances the time, waking the dashboard at each of its deadlines as the loop does.
  mutating func wait(_ duration: Int64) {
    let end = milliseconds + duration
    while let deadline = dashboard.nextDeadline, deadline <= end {
      milliseconds = max(milliseconds, deadline)
      happen(TerminalEvent.tick)
      if let next = dashboard.nextDeadline, next <= milliseconds { break }
    }
    milliseconds = end
  }

  mutating func press(_ key: Key) {
    wait(40)
    happen(.input([.key(key)]))
  }

  /// Types key by key, as a person does.
  mutating func type(_ text: String) {
    for character in text { press(.character(character)) }
  }

  /// Types a line and its end, and waits for the effect.
  mutating func enter(_ line: String) {
    type(line)
    press(.enter)
    wait(1_000)
  }

  /// Sends text that arrives in one piece, as a paste does, after a short wait.
  mutating func paste(_ text: String) {
    wait(40)
    send(text)
  }

  /// Sends text that arrives in one piece now.
  mutating func send(_ text: String) {
    happen(.input(text.map { .key($0 == "\n" ? .enter : .character($0)) }))
  }

  /// Presents an alert and waits until it may be answered.
  mutating func show(_ alert: Alert) {
    present(alert)
    wait(1_200)
  }

  mutating func present(_ alert: Alert) { happen(.pictured(screen.present(alert))) }
  mutating func withdraw(_ id: Alert.ID) { happen(.pictured(screen.withdraw(id))) }
  mutating func back(_ id: Alert.ID, _ isBacked: Bool) { happen(.pictured(screen.back(id, isBacked))) }

  /// Returns the output since the last call.
  mutating func takePaper() -> String {
    defer { paper = "" }
    return paper
  }

  /// Returns the effects since the last call.
  mutating func takeEffects() -> [Effect] {
    defer { record.effects = [] }
    return record.effects
  }
}

/// A record that outlives the value whose closure writes to it.
private final class EffectRecord {
  var effects: [Effect] = []
}
