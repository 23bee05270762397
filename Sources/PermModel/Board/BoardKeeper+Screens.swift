import Machine

// The presenters that show the board's alerts.

extension BoardKeeper {
  /// Adds a screen.
  ///
  /// - Parameter dashboard: The dashboard at this screen, whose id is recorded with the decisions made there; `nil` if the
  ///   screen is no dashboard.
  package func attach(_ presenter: any AlertPresenter, dashboard: String?) {
    change { state in state.presenters[state.board.attach(dashboard)] = presenter }
    screenSignal.send()
  }

  /// Removes a dashboard. Alerts that were set aside there come up at the others again.
  package func detach(dashboard: String) {
    change { state in
      for screen in state.board.screens where screen.dashboard == dashboard {
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

  package func hasScreen(of dashboard: String) -> Bool {
    state.withLock { $0.board.screens.contains { $0.dashboard == dashboard } }
  }

  package var screenCount: Int { state.withLock { $0.board.screens.count } }

  /// Whether alerts come up by themselves at any screen.
  package var isAttended: Bool { state.withLock { $0.board.screens.contains { !$0.isOnHold } } }

  /// The current number of screens, followed by a new one whenever a screen is added or removed.
  package var screenCounts: some AsyncSequence<Int, Never> & Sendable {
    screenSignal.changes().map { [self] _ in screenCount }
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
