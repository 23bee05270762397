import Glibc
import PermBroker
import PermModel

/// Goes through what waits, on the person's own terminal, one request after the other, until nothing waits.
///
/// It shows alerts as a dashboard does: beside the broker that runs, or as the broker itself.
struct AnswerWalk {
  let context: CommandContext

  func run() throws -> ExitStatus {
    guard isatty(STDIN_FILENO) == 1 else {
      throw CommandError.usage(
        "there is no terminal to ask on", advice: ["answer one request: permtui answer ID allow"])
    }
    let place = try context.brokerPlace()
    if let broker = try context.broker() { try attach(to: broker, at: place) } else { try serve(at: place) }
    context.console.note("Nothing waits any more.")
    return .done
  }

  /// Shows the alerts of the broker that runs.
  private func attach(to broker: BrokerConnection, at place: BrokerPlace) throws {
    let client = BrokerClient(addresses: place.addresses)
    let attachment = PresenterAttachment(
      client, presenter: LinePresenter(answeringAs: .commandLine), dashboard: StoreEnvironment.randomID())
    try AsyncBridge.perform {
      let showing = Task { try await attachment.run() }
      defer { showing.cancel() }
      // From before the first look on, so that no end is missed.
      let newest = try broker.journal(.all, .newest(1)).first?.id ?? 0
      try await Self.follow(client.changes(since: newest)) { try broker.waitingRequests() }
    }
  }

  /// Is the broker as long as something waits.
  private func serve(at place: BrokerPlace) throws {
    let store = try context.store(.change)
    let changes = try store.changes()
    let link = BrokerLink(
      context.brokerConfiguration(store), at: place, presenter: LinePresenter(answeringAs: .commandLine),
      dashboard: store.environment.makeID())
    try AsyncBridge.perform {
      let running = Task { await link.run() }
      var problem: (any Error)?
      do { try await Self.follow(changes) { try store.waitingRequests() } } catch { problem = error }
      link.leave()
      running.cancel()
      await link.stop()
      if let problem { throw problem }
    }
  }

  /// Looks at what waits after each change, until there is nothing that was not set aside.
  private static func follow<Changes: AsyncSequence & Sendable>(
    _ changes: Changes, _ waiting: @Sendable () throws -> [WaitingRequest]
  ) async throws {
    if try waiting().allSatisfy({ $0.setAsideAt != nil }) { return }
    for try await _ in changes {
      if try waiting().allSatisfy({ $0.setAsideAt != nil }) { return }
    }
  }
}
