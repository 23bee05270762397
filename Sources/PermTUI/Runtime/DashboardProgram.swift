import PermModel

/// The dashboard as a program for the event loop. It translates events into actions, and passes effects on.
struct DashboardProgram: TerminalApp {
  private var state: State
  /// Carries out an effect outside the dashboard, without waiting for it.
  private let perform: (Effect) -> Void

  init(_ state: State, perform: @escaping (Effect) -> Void) {
    self.state = state
    self.perform = perform
  }

  mutating func painted(at moment: EventTime) { state.painted(at: moment) }

  mutating func render(_ size: Size) -> Grid { Grid(showing: state, size: size) }

  var nextDeadline: Int64? { mutating get { state.nextDeadline } }

  mutating func handle(_ event: TerminalEvent<Action>, at moment: EventTime) -> [TerminalCommand] {
    var commands: [TerminalCommand] = []
    for action in Self.actions(of: event) {
      for effect in state.update(action, at: moment) {
        if let command = TerminalCommand(effect) { commands.append(command) } else { perform(effect) }
      }
    }
    return commands
  }

  private static func actions(of event: TerminalEvent<Action>) -> [Action] {
    switch event {
    case .input(let burst): actions(of: burst)
    case .message(let action): [action]
    case .resized(let size): [.resized(size)]
    case .started, .resumed: []
    case .hasRead(let problem): [.hasRead(problem: problem)]
    case .heldUp: [.heldUp]
    case .tick: [.tick]
    case .inputEnded: [.inputEnded]
    }
  }

  /// Returns the actions of a burst of input, with the keys last. Keys that arrive together with a paste or with a
  /// reply from the terminal were not pressed on purpose, so the state must learn of the paste or reply first.
  static func actions(of burst: [InputEvent]) -> [Action] {
    var keys: [Key] = []
    var others: [Action] = []
    for event in burst {
      switch event {
      case .key(let key): keys.append(key)
      case .paste(let text): others.append(.paste(text))
      case .repeated: others.append(.repeated)
      case .focused: others.append(.focused)
      case .unfocused: others.append(.unfocused)
      case .stalled: others.append(.stalled)
      case .mouse(let mouse): others.append(.mouse(mouse))
      case .noise: others.append(.noise)
      }
    }
    return others + (keys.isEmpty ? [] : [.keys(keys, amidOthers: !others.isEmpty)])
  }
}

extension TerminalCommand {
  /// Returns `nil` for an effect outside the terminal.
  fileprivate init?(_ effect: Effect) {
    switch effect {
    case .bell: self = .ringBell
    case .copy(let text): self = .copy(text)
    case .show(let text): self = .read(text)
    case .title(let title): self = .setTitle(title)
    case .quit(let isInterrupt): self = .quit(exitCode: isInterrupt ? 130 : 0)
    default: return nil
    }
  }
}
