import Machine
import PermBroker
import PermModel

/// Shows alerts line by line, and says that they were answered on the command line.
struct CommandLinePresenter: AlertPresenter {
  private let base: LinePresenter

  init(_ base: LinePresenter = LinePresenter()) { self.base = base }

  func present(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse {
    let response = try await base.present(alert)
    guard case .answered(var answer) = response else { return response }
    answer.origin = .commandLine
    return .answered(answer)
  }

  func waitUntilAttended() async throws { try await base.waitUntilAttended() }
  func waitUntilReopened(_ id: Alert.ID) async throws { try await base.waitUntilReopened(id) }
}

/// Goes through what waits, on the person's own terminal, one request after the other, until nothing waits.
///
/// It shows alerts as a dashboard does: beside the broker that runs, or as the broker itself.
struct AnswerWalk {
  let context: CommandContext

  func run() throws -> ExitStatus {
    guard StandardStream.isTerminal(StandardStream.input) else {
      throw CommandError.usage(
        "there is no terminal to ask on", advice: ["answer one request: permtui answer ID allow"])
    }
    let place = try context.brokerPlace()
    let isOver = try context.broker() == nil ? serve(at: place) : attach(at: place)
    try isOver.get()
    context.console.note("Nothing waits any more.")
    return .done
  }

  /// Shows the alerts of the broker that runs.
  private func attach(at place: BrokerPlace) -> Result<Void, any Error> {
    let client = BrokerClient(addresses: place.addresses)
    let attachment = PresenterAttachment(
      client, presenter: CommandLinePresenter(), dashboard: RandomID.make())
    return AsyncBridge.wait {
      let showing = Task { try await attachment.run() }
      defer { showing.cancel() }
      do {
        // From before the first look on, so that no end is missed.
        let newest = try await client.newestEntry()
        try await Self.follow(client.changes(since: newest)) { try await client.pending().map(\.waiting) }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
  }

  /// Is the broker as long as something waits.
  private func serve(at place: BrokerPlace) throws -> Result<Void, any Error> {
    let store = try context.store(.change)
    let changes = try store.changes()
    let link = BrokerLink(
      context.brokerConfiguration(store), at: place, presenter: CommandLinePresenter(),
      dashboard: store.environment.makeID())
    return AsyncBridge.wait {
      let running = Task { await link.run() }
      let result: Result<Void, any Error>
      do {
        try await Self.follow(changes) { try store.waitingRequests() }
        result = .success(())
      } catch {
        result = .failure(error)
      }
      link.leave()
      running.cancel()
      await link.stop()
      return result
    }
  }

  /// Looks at what waits after each change, until there is nothing that was not set aside.
  private static func follow<Changes: AsyncSequence & Sendable>(
    _ changes: Changes, _ waiting: @Sendable () async throws -> [WaitingRequest]
  ) async throws {
    if try await waiting().allSatisfy({ $0.setAsideAt != nil }) { return }
    for try await _ in changes {
      if try await waiting().allSatisfy({ $0.setAsideAt != nil }) { return }
    }
  }
}
