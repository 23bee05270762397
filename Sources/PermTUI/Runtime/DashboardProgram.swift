import PermModel

/// The dashboard as a program for the event loop. It translates events into actions, and passes effects on.
struct DashboardProgram: TerminalProgram {
  private var state: State
  /// Carries out an effect outside the dashboard, without waiting for it.
  private let perform: (Effect) -> Void

  init(_ state: State, perform: @escaping (Effect) -> Void) {
    self.state = state
    self.perform = perform
  }

  mutating func painted(at moment: EventTime) { state.painted(at: moment) }

  func render(_ size: Size) -> Grid { Grid(showing: state, size: size) }

  var nextDeadline: Int64? { state.nextDeadline }

  mutating func handle(_ event: TerminalEvent<Action>, at moment: EventTime) -> [TerminalCommand] {
    actions(of: event).flatMap { action in
      state.update(action, at: moment).compactMap(command)
    }
  }

  private func actions(of event: TerminalEvent<Action>) -> [Action] {
    switch event {
    case .input(let burst): actions(of: burst)
    case .message(let action): [action]
    case .resized(let size): [.resized(size)]
    case .started, .resumed: []
    case .heldUp: [.heldUp]
    case .tick: [.tick]
    case .inputEnded: [.inputEnded]
    }
  }

  /// Returns the actions of a burst of input, with the keys last. Keys that arrive together with a paste or with a
  /// reply from the terminal were not pressed on purpose, so the state must learn of the paste or reply first.
  private func actions(of burst: [InputEvent]) -> [Action] {
    var keys: [Key] = []
    var others: [Action] = []
    for event in burst {
      switch event {
      case .key(let key): keys.append(key)
      case .paste(let text): others.append(.paste(text))
      case .repeated: others.append(.repeated)
      case .focused: others.append(.focused)
      case .noise: others.append(.noise)
      }
    }
    return others + (keys.isEmpty ? [] : [.keys(keys)])
  }

  private func command(_ effect: Effect) -> TerminalCommand? {
    switch effect {
    case .bell: return .ringBell
    case .title(let title): return .setTitle(title)
    case .quit(let isInterrupt): return .quit(exitCode: isInterrupt ? 130 : 0)
    default:
      perform(effect)
      return nil
    }
  }
}
