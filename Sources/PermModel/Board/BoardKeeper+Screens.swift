import Machine

// The screens of the board: presenters, which are handed alerts, and dashboards, which follow pictures.

extension BoardKeeper {
  /// Adds a screen.
  ///
  /// - Parameter dashboard: The dashboard at this screen, whose id is recorded with the decisions made there; `nil` if the
  ///   screen is no dashboard.
  package func attach(_ presenter: any AlertPresenter, dashboard: String?) {
    change { state in state.presenters[state.board.attach(dashboard)] = presenter }
    screenSignal.send()
  }

  /// Adds a dashboard that follows pictures. Under the same id, it replaces only an earlier screen of the same process, or of
  /// the same operator: a connection that the network has lost can stay open here for hours. Otherwise a process could take
  /// away another dashboard's alerts.
  ///
  /// - Parameters:
  ///   - process: The process of a dashboard that is attached over a connection; `nil` for one of this process.
  ///   - onlyPicks: Whether the person there picks requests from a list, so that no alert comes up.
  ///   - name: The operator of a dashboard on another machine.
  /// - Returns: `nil` if another process, or another operator, has attached under this id.
  package func attach(
    dashboard: String, of process: Int32? = nil, onlyPicks: Bool = false, operator name: String? = nil
  ) -> Board.Screen.ID? {
    defer { screenSignal.send() }
    return change { state in
      let isTaken = state.board.screens.contains { screen in
        screen.dashboard == dashboard && screen.process != process
          && (name == nil || screen.operatorName != name)
      }
      if isTaken { return nil }
      return state.board.attach(dashboard, as: onlyPicks ? .list : .pictures, of: process, operator: name)
    }
  }

  /// Removes a screen. Alerts that were set aside there come up at the others again.
  package func detach(_ screen: Board.Screen.ID) { detach { $0.id == screen } }

  /// Removes a dashboard.
  package func detach(dashboard: String) { detach { $0.dashboard == dashboard } }

  /// Removes the dashboards that a process has attached.
  package func detach(process: Int32) { detach { $0.process == process } }

  private func detach(where isMeant: (Board.Screen) -> Bool) {
    change { state in
      for screen in state.board.screens.filter(isMeant) {
        state.board.detach(screen.id)
        state.presenters[screen.id] = nil
      }
    }
    screenSignal.send()
  }

  /// Sets whether a dashboard holds alerts.
  package func hold(_ isOnHold: Bool, dashboard: String) {
    change { $0.board.hold(isOnHold, dashboard: dashboard) }
  }

  package var screens: [Board.Screen] { state.withLock { $0.board.screens } }
  package var screenCount: Int { screens.count }

  /// Whether alerts come up by themselves at any screen.
  package var isAttended: Bool { state.withLock { $0.board.screens.contains { !$0.isOnHold } } }

  /// The current number of screens, followed by a new one whenever a screen is added or removed.
  package var screenCounts: some AsyncSequence<Int, Never> & Sendable {
    screenSignal.changes().map { [self] _ in screenCount }
  }

  // MARK: Pictures

  /// Returns the alerts at a screen that follows pictures; `nil` if it was removed.
  package func picture(of screen: Board.Screen.ID) -> ScreenPicture? {
    state.withLock { $0.board.picture(of: screen) }
  }

  /// The current alerts at a screen that follows pictures, followed by the new ones after every change. Slow consumers
  /// receive only the latest picture. The sequence ends when the screen is removed.
  package func pictures(of screen: Board.Screen.ID) -> some AsyncSequence<ScreenPicture, Never> & Sendable {
    changes.map { [self] _ in picture(of: screen) }.prefix { $0 != nil }.compactMap(\.self)
  }

  /// Takes a person's response to an alert at a screen that follows pictures, and waits until it is stored.
  ///
  /// - Parameter digest: The digest of the alert as the person read it.
  /// - Throws: ``AnswerRefused`` if the response is not accepted; the store's error if it cannot be stored. The alert then
  ///   comes up again if it is still needed.
  package func respond(
    _ alert: Alert.ID, _ response: AlertResponse, to digest: AlertDigest, at screen: Board.Screen.ID
  ) async throws {
    let stored = OneShot<Result<Void, any Error>>()
    try change { state throws(AnswerRefused) in
      let id = try state.board.respond(alert, response, to: digest, at: screen)
      if response != .setAside { state.responses[id] = stored }
    }
    if response != .setAside { try await stored.value.get() }
  }

  /// Shows an alert again that was set aside at a screen.
  package func reopen(_ alert: Alert.ID, at screen: Board.Screen.ID) {
    change { $0.board.reopen(alert, at: screen) }
  }

  // MARK: Showing

  /// An item at a screen, from the offer until the presenter returns.
  struct Show: Sendable {
    let task: Task<Void, Never>
    let alerts: AsyncStream<Alert>.Continuation
    /// The alert that was handed over last.
    var handed: Alert?
  }

  func show(_ visit: Board.Visit) {
    let (alerts, continuation) = AsyncStream.makeStream(of: Alert.self)
    state.withLock { state in
      guard let presenter = state.presenters[visit.screen], let item = state.board.items[visit.item] else {
        return
      }
      let turn = turn(of: item.alert, visit, alerts)
      let task = Task.quiet { [self] in await show(turn, visit, at: presenter) }
      state.shows[visit] = Show(task: task, alerts: continuation)
    }
  }

  private func turn(of alert: Alert.ID, _ visit: Board.Visit, _ alerts: AsyncStream<Alert>) -> AlertTurn {
    AlertTurn(id: alert) { [self] in
      change { $0.board.want(visit) }
      return await alerts.first { _ in true }
    } setAside: { [self] in
      change { $0.board.setAside(visit) }
    }
  }

  private func show(_ turn: AlertTurn, _ visit: Board.Visit, at presenter: any AlertPresenter) async {
    do throws(AlertPresenterError) {
      let response = try await presenter.show(turn)
      let digest = state.withLock { $0.shows[visit]?.handed }?.digest
      finish(visit) { $0.respond(visit, response, to: digest) }
    } catch {
      finish(visit) { $0.decline(visit, error) }
    }
  }

  /// Ends a show together with its last event, so that the board can offer the item to the same screen again.
  private func finish(_ visit: Board.Visit, _ event: (inout Board) -> Void) {
    change { state in
      state.shows[visit] = nil
      event(&state.board)
    }
  }

  func hand(_ alert: Alert, _ visit: Board.Visit) {
    let show = state.withLock { state in
      state.shows[visit]?.handed = alert
      return state.shows[visit]
    }
    show?.alerts.yield(alert)
  }

  func hide(_ visit: Board.Visit) {
    guard let show = state.withLock({ $0.shows[visit] }) else {
      // The presenter had gone before it was asked.
      return finish(visit) { _ = $0.leave(visit) }
    }
    show.task.cancel()
    show.alerts.finish()
  }
}
