import PermBroker
import PermModel

/// A request from asking to its end, also while brokers come and go.
struct RequestWait {
  let asked: AskedQuestion
  let place: BrokerPlace
  let deadline: ContinuousClock.Instant?
  let hasTerminal: Bool
  let context: CommandContext

  /// How long the next dashboard may take to become the broker when one went away.
  private static let handover = Duration.seconds(2)
  /// How often a broker may end the connection before it has replied.
  private static let mostRefusals = 5

  /// Asks and waits.
  ///
  /// - Throws: ``CommandError``, or what broker or store throw.
  func outcome() throws -> RequestProgress {
    var hasSaidHow = false
    var refusals = 0
    while true {
      do {
        let connection = try BrokerConnection(to: .ask, among: place.addresses)
        return try ask(on: connection, &hasSaidHow) { refusals = 0 }
      } catch BrokerSocketError.nobodyListens {
        if refusals > 0, waitForNextBroker() { continue }
        guard !place.isElsewhere else {
          throw CommandError("nobody listens at \(place.addresses[0].folder)", status: .noAnswer)
        }
        let wait = StoreWait(
          asked: asked, place: place, deadline: deadline, hasTerminal: hasTerminal, context: context)
        if let end = try wait.outcome(&hasSaidHow) { return end }
      } catch BrokerError.disconnected {
        // The answer may have been given before the broker could tell; otherwise the next one finds the request.
        if let end = try asked.endInStore(place, context) { return end }
        refusals += 1
        if let deadline, deadline <= .now { return .timedOut }
        if refusals > Self.mostRefusals { throw BrokerError.disconnected }
      }
    }
  }

  private func ask(
    on connection: BrokerConnection, _ hasSaidHow: inout Bool, replied: () -> Void
  ) throws -> RequestProgress {
    var question = asked.question
    question.patience = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
    try connection.ask(question)
    var progress = try connection.nextProgress()
    replied()
    if case .waiting(presenters: 0) = progress, hasTerminal {
      let alert = try asked.alert(place, context)
      if let answer = OwnTerminal.prompt(alert, until: connection.descriptor) { return answer }
      progress = try connection.nextProgress()
    }
    while case .waiting = progress {
      asked.sayHow(&hasSaidHow, context.console)
      progress = try connection.nextProgress()
    }
    return progress
  }

  /// Waits for the dashboard that takes over; `false` if none does.
  private func waitForNextBroker() -> Bool {
    guard let watch = try? BrokerWatch(.ask, among: place.addresses) else { return false }
    return AsyncBridge.wait {
      await withTaskGroup(of: Bool.self) { group in
        group.addTask { await watch.waitUntilListening() }
        group.addTask {
          try? await Task.sleep(for: Self.handover)
          return false
        }
        defer { group.cancelAll() }
        return await group.next() ?? false
      }
    }
  }
}
