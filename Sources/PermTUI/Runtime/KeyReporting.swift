/// A program on a terminal that reports each key press, besides handling it.
struct KeyReporting<Base: TerminalApp>: TerminalApp {
  var base: Base
  /// Called for each piece of input that contains a key. Must not wait.
  let looked: () -> Void

  mutating func handle(_ event: TerminalEvent<Base.Message>, at moment: EventTime) -> [TerminalCommand] {
    if case .input(let burst) = event, burst.contains(where: \.isKey) { looked() }
    return base.handle(event, at: moment)
  }

  mutating func render(_ size: Size) -> Base.Picture { base.render(size) }

  mutating func painted(at moment: EventTime) { base.painted(at: moment) }

  var nextDeadline: Int64? { mutating get { base.nextDeadline } }
}

extension InputEvent {
  fileprivate var isKey: Bool {
    if case .key = self { true } else { false }
  }
}
