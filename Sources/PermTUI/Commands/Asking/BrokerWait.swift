import PermBroker
import PermModel

/// A request at a broker. While no dashboard is open it is asked on the program's own terminal, if it may be.
struct BrokerWait {
  let asked: AskedQuestion
  let place: BrokerPlace
  let deadline: ContinuousClock.Instant?
  let terminal: OwnTerminal
  let context: CommandContext
  let connection: BrokerConnection
  /// Whether the broker knows that the program asks on its terminal.
  private var asksHere = false

  init(
    _ asked: AskedQuestion, at place: BrokerPlace, over connection: BrokerConnection,
    until deadline: ContinuousClock.Instant?, _ terminal: OwnTerminal, _ context: CommandContext
  ) {
    self.asked = asked
    self.place = place
    self.connection = connection
    self.deadline = deadline
    self.terminal = terminal
    self.context = context
  }

  /// Asks and waits.
  ///
  /// - Parameter replied: Called once the broker has said something.
  mutating func outcome(replied: () -> Void) throws -> RequestEnd {
    var question = asked.question
    question.patience = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
    try connection.ask(question)
    var progress = try next()
    replied()
    while true {
      switch progress {
      case .waiting(let presenters):
        progress = presenters > 0 ? try nextFromDashboard() : try nextWithoutDashboard()
      case .ended(let end):
        terminal.takeOff(after: end)
        return end
      }
    }
  }

  private func bufferedProgress() throws -> RequestProgress? {
    try connection.bufferedProgress(of: asked.reference, at: context.now)
  }

  /// What the broker says next. No thread is started for that, so a known answer comes as fast as it can.
  private func next() throws -> RequestProgress {
    while true {
      if let progress = try bufferedProgress() { return progress }
      if terminal.waitUntilReadable(connection.descriptor) {
        try connection.read()
      } else {
        terminal.takeSignals()
      }
    }
  }

  private mutating func nextFromDashboard() throws -> RequestProgress {
    // The broker has noted that itself.
    asksHere = false
    terminal.takeOff(because: "a dashboard is open, and the question is there now")
    return try next()
  }

  private mutating func nextWithoutDashboard() throws -> RequestProgress {
    while true {
      if let progress = try bufferedProgress() { return progress }
      let alert = try alertForTerminal()
      if alert == nil { terminal.sayHow(asked.question.capability) }
      switch terminal.wait(asking: alert, [WaitEvent.reading(connection.descriptor, .brokerSpoke)]) {
      case .brokerSpoke: try connection.read()
      case .signalled: terminal.takeSignals()
      case .typed(let verdict): return try answer(verdict)
      case .inputEnded:
        terminal.questionEnded()
        return .ended(.dismissed)
      default: break
      }
    }
  }

  /// What to ask on the terminal; `nil` where the program or the broker may not.
  private mutating func alertForTerminal() throws -> Alert? {
    let mayAsk = terminal.takeTurn()
    if mayAsk != asksHere {
      let isTold = tell { try $0.askHere(asked.question.id, mayAsk) }
      asksHere = mayAsk && isTold
    }
    return asksHere ? try asked.alert(place, context) : nil
  }

  /// Gives the broker what was answered on the terminal. Where it is not taken, the broker says what holds instead.
  private func answer(_ verdict: Verdict) throws -> RequestProgress {
    if tell({ try $0.answerHere(asked.question.id, verdict) }) { terminal.questionEnded() }
    return try next()
  }

  /// Calls the broker over a connection of its own, as the other one waits for the answer; returns whether it agreed.
  private func tell(_ call: (BrokerConnection) throws -> Void) -> Bool {
    (try? call(BrokerConnection(to: .ask, among: place.addresses))) != nil
  }
}
