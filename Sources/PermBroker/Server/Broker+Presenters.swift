import Machine
import Operations
import PermModel

// The methods through which dashboards in other processes show alerts.

extension Broker {
  func addPresenterMethods(to router: inout CallRouter) {
    router.add(Methods.Attach.self) { [self] parameters, call, send in
      guard call.takesMore else { throw BrokerError.expectsMore(Methods.Attach.fullName) }
      try await attach(parameters.dashboard, of: call.peer, send)
      return .init()
    }
    router.add(Methods.Look.self) { [self] parameters, call, _ in
      if remote(parameters.dashboard, of: call.peer) != nil { notifier.look() }
      return .init()
    }
    router.add(Methods.Hold.self) { [self] parameters, call, _ in
      if remote(parameters.dashboard, of: call.peer) != nil {
        keeper.hold(parameters.holds, dashboard: parameters.dashboard)
      }
      return .init()
    }
    router.add(Methods.Respond.self) { [self] parameters, call, _ in
      try await respond(parameters, of: call.peer)
      return .init()
    }
  }

  private func attach(
    _ dashboard: String, of peer: Peer, _ send: CallRouter.Send<Methods.Attach.Reply>
  ) async throws {
    guard (1...64).contains(dashboard.utf8.count), dashboard.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else {
      throw BrokerError.invalid(parameter: "dashboard", reason: "it must have 1 to 64 ASCII characters")
    }
    let (messages, outbox) = AsyncStream.makeStream(of: Methods.Attach.Reply.self)
    let remote = RemotePresenter(process: peer.pid, leave: { outbox.finish() }) { outbox.yield($0) }
    guard register(remote, dashboard) else {
      throw BrokerError.invalid(parameter: "dashboard", reason: "another process has attached under this id")
    }
    defer { detach(remote, dashboard) }
    try await send(.init())
    keeper.attach(remote, dashboard: dashboard)
    // The loop ends when the client disconnects, because this task is then cancelled.
    for await message in messages { try await send(message) }
  }

  /// Registers a dashboard under its id, where it replaces only an earlier connection of the same process. Otherwise a
  /// process could take away another dashboard's alerts.
  ///
  /// - Returns: Whether the id was free.
  private func register(_ remote: RemotePresenter, _ dashboard: String) -> Bool {
    remotes.withLock { remotes in
      let isFree = remotes[dashboard].map { $0.process == remote.process } ?? !keeper.hasScreen(of: dashboard)
      if isFree { remotes[dashboard] = remote }
      return isFree
    }
  }

  private func detach(_ remote: RemotePresenter, _ dashboard: String) {
    remotes.withLock { remotes in
      // If this presenter is no longer current, the process has attached again under the same id, and must stay
      // attached.
      guard remotes[dashboard] === remote else { return }
      remotes[dashboard] = nil
      keeper.detach(dashboard: dashboard)
    }
  }

  /// Returns the dashboard that a process has attached under this id.
  private func remote(_ dashboard: String, of peer: Peer) -> RemotePresenter? {
    remotes.withLock { $0[dashboard] }.flatMap { $0.process == peer.pid ? $0 : nil }
  }

  private func respond(_ parameters: Methods.Respond.Parameters, of peer: Peer) async throws {
    let digest = try? parameters.digest.shown()
    guard let remote = remote(parameters.dashboard, of: peer),
      remote.alerts.take(
        try await event(parameters, at: remote), Alert.ID(parameters.alert),
        where: { digest == nil || $0.digest == digest })
    else { throw BrokerError.noSuchRequest(parameters.alert) }
  }

  /// Returns the person's action on an alert. For an answer or a confirmation, checks first that the person
  /// saw the alert's current content.
  private func event(
    _ parameters: Methods.Respond.Parameters, at remote: RemotePresenter
  ) async throws -> AlertEvent {
    switch parameters.response {
    case .answered: return .answered(.answered(try await answer(parameters, at: remote)))
    case .confirmed:
      _ = try shown(parameters, at: remote)
      return .answered(.confirmed)
    case .refused: return .answered(.refused)
    case .acknowledged: return .answered(.acknowledged)
    case .aside: return .setAside
    case .dismissed: return .answered(.dismissed)
    case .declined: return .declined
    case .reopened: return .reopened
    }
  }

  private func answer(
    _ parameters: Methods.Respond.Parameters, at remote: RemotePresenter
  ) async throws -> Answer {
    let alert = try shown(parameters, at: remote)
    guard let given = parameters.answer, case .request(let content) = alert.content else {
      throw BrokerError.invalid(parameter: "answer", reason: "there is none, or the alert is no request")
    }
    var answer = try given.answer(to: content.request)
    answer.origin = try parameters.origin.map(origin)
    guard await !ledger.askChangedAgain(content.requestIDs) else { throw BrokerError.changed }
    do {
      try desk.check(answer, to: alert.digest, of: alert.id)
    } catch AnswerRefused.changed {
      // The outdated answer is passed on nevertheless. It makes the desk show the alert again if anything is undecided.
      _ = remote.alerts.take(.answered(.answered(answer)), alert.id)
      throw BrokerError.changed
    }
    return answer
  }

  /// Returns the alert to which a dashboard responds. Throws an error if the person saw an earlier version of it.
  private func shown(_ parameters: Methods.Respond.Parameters, at remote: RemotePresenter) throws -> Alert {
    let digest = try parameters.digest.shown()
    guard let alert = remote.alerts[Alert.ID(parameters.alert)] else {
      throw BrokerError.noSuchRequest(parameters.alert)
    }
    guard alert.digest == digest else { throw BrokerError.changed }
    return alert
  }
}
