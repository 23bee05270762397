import Machine
package import PermModel

/// A presenter that can mark an alert while no broker backs it.
package protocol HandoverScreen: AlertPresenter {
  /// Notes whether a broker backs an alert. An alert without a broker remains readable, but an answer to it
  /// has no effect.
  ///
  /// - Returns: Whether the presenter currently shows the alert.
  func setBacked(_ isBacked: Bool, _ id: Alert.ID) -> Bool
}

/// A presenter that keeps alerts on the screen while one broker goes away and the next one takes over.
///
/// Until the next broker has taken over, no broker backs the alerts, so answers to them have no effect. An alert that
/// the next broker presents with the same digest stays on the screen unchanged. All other alerts are withdrawn.
final class HandoverPresenter: AlertPresenter {
  private struct Shown: Sendable {
    let alert: Alert
    let entry: Entry
    /// The handover after which the alert was presented; 0 if there was none before.
    let handover: Int
    let showing: Task<AlertResponse, any Error>
  }

  private struct State {
    var shown: [Alert.ID: Shown] = [:]
    /// The number of the latest handover. The alerts that were presented before it are those of a broker that has gone
    /// away.
    var handover = 0
    /// Whether those alerts stay on the screen even if they are cancelled, so that the next broker can present them again.
    var isHandingOver = false
    /// The alerts that remain on the screen although no broker backs them.
    var left: [Alert.ID: Shown] = [:]
    /// The alert that occupies the screen. It is tracked in this presenter because alerts come from two modal slots:
    /// that of this process and that of a broker elsewhere.
    var onScreen: Entry?
  }

  private let base: any AlertPresenter
  private let state = Lock(State())
  /// The signal sent when the screen becomes free.
  private let signal = ChangeSignal()

  init(_ base: any AlertPresenter) { self.base = base }

  func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
    let handover = state.withLock { $0.handover }
    guard let alert = await turn.alert(), !Task.isCancelled else { return .dismissed }
    let left = takeLeft(alert, turn, handover)
    // `setBacked` returns `false` if the person answered the alert while no broker backed it. That answer had no
    // effect, so the alert is shown again.
    if let left, setBacked(true, alert.id) { return try await follow(left) }
    left?.showing.cancel()
    return try await follow(begin(alert, turn, handover))
  }

  /// Takes over the same alert that an earlier broker left on the screen; `nil` if there is none. From then on it counts
  /// as shown, so that no handover misses it. Another alert with its id is withdrawn.
  private func takeLeft(_ alert: Alert, _ turn: AlertTurn, _ handover: Int) -> Shown? {
    let (shown, other) = state.withLock { state -> (Shown?, Shown?) in
      guard let left = state.left.removeValue(forKey: alert.id) else { return (nil, nil) }
      guard left.alert.digest == alert.digest else { return (nil, left) }
      let shown = Shown(alert: left.alert, entry: left.entry, handover: handover, showing: left.showing)
      state.shown[alert.id] = shown
      return (shown, nil)
    }
    other?.showing.cancel()
    shown?.entry.turn.withLock { $0 = turn }
    return shown
  }

  /// Begins to show an alert. It counts as shown before the screen can show it, so that no handover misses it.
  private func begin(_ alert: Alert, _ turn: AlertTurn, _ handover: Int) -> Shown {
    let entry = Entry(turn)
    return state.withLock { state in
      let shown = Shown(
        alert: alert, entry: entry, handover: handover,
        showing: Task.quiet { try await self.showOnScreen(entry, alert.id) })
      state.shown[alert.id] = shown
      return shown
    }
  }

  private func setBacked(_ isBacked: Bool, _ id: Alert.ID) -> Bool {
    (base as? any HandoverScreen)?.setBacked(isBacked, id) ?? false
  }

  private func follow(_ shown: Shown) async throws(AlertPresenterError) -> AlertResponse {
    let id = shown.alert.id
    let (results, ended) = AsyncStream.makeStream(of: Result<AlertResponse, any Error>.self)
    Task.quiet { ended.yield(await shown.showing.result) }
    // This wait ends as soon as no broker backs the alert any longer, even if the alert stays on the screen.
    let result = await withTaskCancellationHandler {
      await results.first { _ in true }
    } onCancel: {
      leave(shown)
    }
    state.withLock { if $0.shown[id]?.entry === shown.entry { $0.shown[id] = nil } }
    switch result {
    case .success(let response): return response
    case .failure(let error as AlertPresenterError): throw error
    case .failure, nil: return .dismissed
    }
  }

  /// Removes an alert from the screen, or leaves it there for the next broker.
  private func leave(_ shown: Shown) {
    let id = shown.alert.id
    let stays = state.withLock { state in
      guard state.shown[id]?.entry === shown.entry else { return false }
      state.shown[id] = nil
      guard state.isHandingOver, shown.handover < state.handover else { return false }
      state.left[id] = shown
      return true
    }
    guard stays, setBacked(false, id) else {
      forget(shown)
      return shown.showing.cancel()
    }
    Task.quiet { [self] in
      _ = await shown.showing.result
      forget(shown)
    }
  }

  private func forget(_ shown: Shown) {
    state.withLock { state in
      if state.left[shown.alert.id]?.entry === shown.entry { state.left[shown.alert.id] = nil }
    }
  }

  // MARK: Handing over

  /// Begins a handover: keeps the current alerts on the screen, even if they are cancelled, until ``end(_:)`` is called.
  ///
  /// - Returns: The number of this handover.
  @discardableResult
  func begin() -> Int {
    state.withLock { state in
      state.handover += 1
      state.isHandingOver = true
      return state.handover
    }
  }

  /// Ends a handover, and withdraws the alerts that no broker has presented again. Has no effect if another handover has
  /// begun since: that one's broker can still present them.
  func end(_ handover: Int) {
    let left = state.withLock { state -> [Task<AlertResponse, any Error>] in
      guard state.handover == handover else { return [] }
      defer { (state.isHandingOver, state.left) = (false, [:]) }
      return state.left.values.map(\.showing)
    }
    left.forEach { $0.cancel() }
  }
}

// MARK: - The screen

extension HandoverPresenter {
  /// The ``AlertTurn`` of a shown alert. The next broker's turn can replace it while the alert is on the screen.
  private final class Entry: Sendable {
    let turn: Lock<AlertTurn>

    init(_ turn: AlertTurn) { self.turn = Lock(turn) }
  }

  private func showOnScreen(
    _ entry: Entry, _ id: Alert.ID
  ) async throws(AlertPresenterError) -> AlertResponse {
    defer { leaveScreen(entry) }
    let turn = AlertTurn(id: id) { [self] in
      guard let alert = await entry.turn.withLock(\.self).alert(), await takeScreen(entry) else { return nil }
      return alert
    } setAside: { [self] in
      leaveScreen(entry)
      await entry.turn.withLock(\.self).setAside()
    }
    return try await base.show(turn)
  }

  /// Waits until the screen is free, and occupies it. Returns `false` if the task was cancelled first.
  private func takeScreen(_ entry: Entry) async -> Bool {
    for await _ in signal.changes() {
      let isTaken = state.withLock { state in
        state.onScreen = state.onScreen ?? entry
        return state.onScreen === entry
      }
      if isTaken { return true }
    }
    return false
  }

  private func leaveScreen(_ entry: Entry) {
    state.withLock { if $0.onScreen === entry { $0.onScreen = nil } }
    signal.send()
  }
}
