import ArgumentParser
import Machine
import PermBroker
import PermModel

/// A walk through the waiting requests, one by one, on the person's own terminal. It ends when no requests are left
/// except those that were set aside.
///
/// On a capable terminal, each request comes in the alert's own box, wherever else its alert is shown. On any other
/// terminal, the walk shows alerts line by line, as they come up. It attaches to the running broker or, if there is none,
/// acts as the broker itself.
struct AnswerWalk {
  let context: CommandContext
  var noColor = false

  func run() throws -> ExitStatus {
    guard StandardStream.isTerminal(StandardStream.input) else {
      throw CommandError.usage(
        "there is no terminal to ask on", advice: ["answer one request: permtui answer ID allow"])
    }
    let place = try context.brokerPlace()
    if context.givenStore == nil, !place.isElsewhere,
      let launch = try? DashboardLaunch(noColor: noColor, isPlain: false), !launch.isPlain
    {
      return try walk(launch, at: place)
    }
    if let broker = try context.broker() { try attach(to: broker, at: place) } else { try serve(at: place) }
    let left = try context.control(.read).waitingRequests().count
    context.console.note(Self.words(left: left))
    return .done
  }

  /// The words at the end of a walk that leaves so many requests waiting.
  private static func words(left: Int) -> String {
    switch left {
    case 0: "Nothing is waiting now."
    case 1: "One request still waits; permtui pending lists it."
    default: "\(left) requests still wait; permtui pending lists them."
    }
  }

  private func walk(_ launch: DashboardLaunch, at place: BrokerPlace) throws -> ExitStatus {
    let store = try SQLiteStore(path: try context.storePath(), environment: context.world)
    var session = DashboardSession(context.brokerConfiguration(store), at: place)
    session.settings = DashboardSettings(context.probes)
    session.settings.times = context.configuration.promptTimes
    session.isWalk = true
    session.services.ownOrigin = .commandLine
    // The alerts stay with the dashboards. The walk picks requests from the list instead.
    session.presenter.end()
    let code = try launch.show(session) {}
    if code != 0 { throw ExitCode(code) }
    context.console.note(Self.words(left: try store.waitingRequests().count))
    return .done
  }

  /// Shows the alerts of the running broker.
  private func attach(to broker: BrokerConnection, at place: BrokerPlace) throws {
    let client = BrokerClient(addresses: place.addresses)
    let attachment = PresenterAttachment(
      client, presenter: LinePresenter(answeringAs: .commandLine), dashboard: RandomID.make())
    try AsyncBridge.wait {
      let showing = Task { try await attachment.run() }
      defer { showing.cancel() }
      // The journal position is read before the waiting requests, so that no request can end unnoticed in between.
      let newest = try broker.journal(.all, .newest(1)).first?.id ?? 0
      try await Self.follow(client.changes(since: newest)) { try broker.waitingRequests() }
    }
  }

  /// Acts as the broker as long as requests wait.
  private func serve(at place: BrokerPlace) throws {
    let store = try context.store(.change)
    let changes = try store.changes()
    let link = BrokerLink(
      context.brokerConfiguration(store), at: place, presenter: LinePresenter(answeringAs: .commandLine),
      dashboard: store.environment.makeID())
    try AsyncBridge.wait {
      let running = Task { await link.run() }
      var problem: (any Error)?
      do { try await Self.follow(changes) { try store.waitingRequests() } } catch { problem = error }
      link.leave()
      running.cancel()
      await link.stop()
      if let problem { throw problem }
    }
  }

  /// Looks at the waiting requests after each change, until only those that were set aside remain.
  private static func follow<Changes: AsyncSequence & Sendable>(
    _ changes: Changes, _ waiting: @Sendable () throws -> [WaitingRequest]
  ) async throws {
    if try waiting().allSatisfy({ $0.setAsideAt != nil }) { return }
    for try await _ in changes {
      if try waiting().allSatisfy({ $0.setAsideAt != nil }) { return }
    }
  }
}
