import Machine
import PermModel

// The methods of dashboards in other processes.

extension Broker {
  func addDashboardMethods(to router: inout CallRouter) {
    router.add(Methods.Attach.self) { [self] parameters, call, send in
      guard call.takesMore else { throw BrokerError.expectsMore(Methods.Attach.fullName) }
      try await attach(parameters, of: call.peer, send)
      return .init()
    }
    router.add(Methods.Look.self) { [self] parameters, call, _ in
      if screen(parameters.dashboard, of: call.peer) != nil { notifier.look() }
      return .init()
    }
    router.add(Methods.Hold.self) { [self] parameters, call, _ in
      if screen(parameters.dashboard, of: call.peer) != nil {
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
    _ parameters: Methods.Attach.Parameters, of peer: Peer,
    _ send: @escaping CallRouter.Send<Methods.Attach.Reply>
  ) async throws {
    let dashboard = parameters.dashboard
    guard (1...64).contains(dashboard.utf8.count), dashboard.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else {
      throw BrokerError.invalid(parameter: "dashboard", reason: "it must have 1 to 64 ASCII characters")
    }
    let screen = keeper.attach(
      dashboard: dashboard, of: peer.pid, onlyPicks: parameters.picks ?? false,
      operator: operatorName(of: peer))
    guard let screen else {
      throw BrokerError.invalid(parameter: "dashboard", reason: "another process has attached under this id")
    }
    defer { keeper.detach(screen) }
    try await send(.init())
    // Whichever ends first ends the attachment, so that no dashboard goes on with half of it.
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [self] in try await show(at: screen, send) }
      if let limit = parameters.waiting {
        group.addTask { [self] in try await list(atMost: limit, for: .dashboard(id: dashboard), send) }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// Tells a dashboard what has changed of its picture.
  private func show(
    at screen: Board.Screen.ID, _ send: CallRouter.Send<Methods.Attach.Reply>
  ) async throws {
    var sent = ScreenPicture()
    for await picture in keeper.pictures(of: screen) {
      // To compare a thousand whole alerts that were set aside would take longer than to show the next one.
      let change = Methods.Attach.Reply(from: sent, to: picture)
      sent = picture
      if change != .init() { try await send(change) }
    }
  }

  /// The time between two looks at what waits, so that a flood of requests costs little.
  private static let betweenLooks = Duration.milliseconds(250)

  /// Tells a dashboard on another machine which requests wait, now and after each change.
  private func list(
    atMost limit: Int, for origin: Origin, _ send: @escaping CallRouter.Send<Methods.Attach.Reply>
  ) async throws {
    var sent = WaitingList()
    let changes = try store.changes()
    let look = { [self] () async throws in
      let (requests, total) = try control(by: origin).pending(atMost: max(0, min(limit, WaitingList.most)))
      let list = WaitingList(requests, total: total)
      if list != sent { try await send(.init(waiting: .init(from: sent, to: list))) }
      sent = list
    }
    try await look()
    for try await _ in changes {
      try await look()
      try await QuietClock.sleep(for: Self.betweenLooks)
    }
  }

  /// Returns the screen of a dashboard that a process has attached under this id.
  private func screen(_ dashboard: String, of peer: Peer) -> Board.Screen.ID? {
    keeper.screens.first { $0.dashboard == dashboard && $0.process == peer.pid }?.id
  }

  private func respond(_ parameters: Methods.Respond.Parameters, of peer: Peer) async throws {
    let alert = Alert.ID(parameters.alert)
    guard let screen = screen(parameters.dashboard, of: peer) else {
      throw BrokerError.noSuchRequest(parameters.alert)
    }
    if parameters.response == .reopened { return keeper.reopen(alert, at: screen) }
    let digest = try parameters.digest.shown()
    try await keeper.respond(alert, response(parameters, of: peer, at: screen), to: digest, at: screen)
  }

  private func response(
    _ parameters: Methods.Respond.Parameters, of peer: Peer, at screen: Board.Screen.ID
  ) throws -> AlertResponse {
    switch parameters.response {
    case .answered: .answered(try answer(parameters, of: peer, at: screen))
    case .confirmed: .confirmed
    case .refused: .refused
    case .acknowledged: .acknowledged
    case .aside: .setAside
    case .dismissed, .reopened: .dismissed
    }
  }

  private func answer(
    _ parameters: Methods.Respond.Parameters, of peer: Peer, at screen: Board.Screen.ID
  ) throws -> Answer {
    let shown = keeper.picture(of: screen)?.shown.first { $0.alert.id.text == parameters.alert }
    guard let shown else { throw BrokerError.noSuchRequest(parameters.alert) }
    guard let given = parameters.answer, case .request(let content) = shown.alert.content else {
      throw BrokerError.invalid(parameter: "answer", reason: "there is none, or the alert is no request")
    }
    var answer = try given.answer(to: content.request)
    answer.origin = try parameters.origin.map { try origin($0, of: peer) }
    return answer
  }
}
