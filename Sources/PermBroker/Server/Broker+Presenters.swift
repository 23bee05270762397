import Operations
import PermModel

// How dashboards in other processes show alerts.

extension Broker {
  func addPresenterMethods(to router: inout CallRouter) {
    router.add(Methods.Attach.self) { [self] parameters, call, send in
      guard call.takesMore else { throw BrokerError.expectsMore(Methods.Attach.fullName) }
      try await attach(parameters.dashboard, of: call.peer, send)
      return .init()
    }
    router.add(Methods.Respond.self) { [self] parameters, _, _ in
      try respond(parameters)
      return Done()
    }
  }

  private func attach(
    _ dashboard: String, of peer: Peer,
    _ send: @escaping @Sendable (Methods.Attach.Reply) async throws -> Void
  ) async throws {
    guard (1...64).contains(dashboard.utf8.count), dashboard.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else {
      throw BrokerError.invalid(parameter: "dashboard", reason: "it must have 1 to 64 ASCII characters")
    }
    let (messages, outbox) = AsyncStream.makeStream(of: Methods.Attach.Reply.self)
    let remote = RemotePresenter(process: peer.pid, leave: { outbox.finish() }) { outbox.yield($0) }
    remotes.withLock { $0[dashboard] = remote }
    defer { detach(remote, dashboard) }
    try await send(.init())
    presenters.attach(remote, dashboard: dashboard)
    // Ends when the client goes away: its task is cancelled then.
    for await message in messages { try await send(message) }
  }

  private func detach(_ remote: RemotePresenter, _ dashboard: String) {
    let isCurrent = remotes.withLock { remotes in
      guard remotes[dashboard] === remote else { return false }
      remotes[dashboard] = nil
      return true
    }
    // Another connection may have come under the same id.
    if isCurrent { presenters.detach(dashboard: dashboard) }
  }

  private func respond(_ parameters: Methods.Respond.Parameters) throws {
    let id = Alert.ID(parameters.alert)
    guard let remote = remotes.withLock({ $0[parameters.dashboard] }) else {
      throw BrokerError.noSuchRequest(parameters.alert)
    }
    let isTaken =
      switch parameters.response {
      case .answered: try answer(parameters, at: remote)
      case .confirmed: remote.respond(id, .confirmed)
      case .refused: remote.respond(id, .refused)
      case .acknowledged: remote.respond(id, .acknowledged)
      case .aside: remote.respond(id, .setAside)
      case .dismissed: remote.respond(id, .dismissed)
      case .declined: remote.decline(id)
      case .reopened: presenters.reopen(id)
      }
    guard isTaken else { throw BrokerError.noSuchRequest(parameters.alert) }
  }

  private func answer(_ parameters: Methods.Respond.Parameters, at remote: RemotePresenter) throws -> Bool {
    let id = Request.ID(parameters.alert)
    guard let given = parameters.answer,
      let request = try store.waitingRequests().first(where: { $0.id == id })?.request
    else { return false }
    var answer = try given.answer(to: request)
    answer.origin = try parameters.origin.map(origin)
    return remote.respond(Alert.ID(parameters.alert), .answered(answer))
  }
}
