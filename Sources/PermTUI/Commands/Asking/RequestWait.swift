import PermBroker
import PermModel

/// A request from asking to its end, also while brokers come and go.
struct RequestWait {
  let asked: AskedQuestion
  let place: BrokerPlace
  let deadline: ContinuousClock.Instant?
  let terminal: OwnTerminal
  let context: CommandContext

  /// How long the next dashboard may take to become the broker when one went away.
  private static let handover = Duration.seconds(2)
  /// How often a broker may end the connection before it has replied.
  private static let mostRefusals = 5

  /// Asks and waits.
  ///
  /// - Throws: ``CommandError``, or what broker or store throw.
  func outcome() throws -> RequestEnd {
    var refusals = 0
    while true {
      do {
        let connection = try BrokerConnection(to: .ask, among: place.addresses)
        var wait = BrokerWait(asked, at: place, over: connection, until: deadline, terminal, context)
        return try wait.outcome { refusals = 0 }
      } catch BrokerSocketError.nobodyListens {
        // A question that stands on the terminal goes on there at once; it moves if a broker comes.
        if refusals > 0, !terminal.showsQuestion, waitForNextBroker() { continue }
        guard !place.isElsewhere else {
          throw CommandError("nobody listens at \(place.addresses[0].folder)", status: .noAnswer)
        }
        let wait = StoreWait(
          asked: asked, place: place, deadline: deadline, terminal: terminal, context: context)
        if let end = try wait.outcome() { return end }
      } catch BrokerError.disconnected {
        // The answer may have been given before the broker could tell; otherwise the next one finds the request.
        if !place.isElsewhere, let end = try asked.end(in: context.store(.read), context) { return end }
        refusals += 1
        if let deadline, deadline <= .now { return .timedOut }
        if refusals > Self.mostRefusals { throw BrokerError.disconnected }
      }
    }
  }

  /// Waits for the dashboard that takes over; `false` if none does.
  private func waitForNextBroker() -> Bool {
    guard let watch = try? BrokerWatch(.ask, among: place.addresses) else { return false }
    let limit = WaitEvent.deadline(.now + Self.handover)
    while true {
      let listening: WaitSource = { await watch.waitUntilListening() ? .brokerCame : nil }
      switch terminal.wait(asking: nil, [listening, limit]) {
      case .brokerCame: return true
      case .signalled: terminal.takeSignals()
      case .terminalChanged: continue
      default: return false
      }
    }
  }
}
