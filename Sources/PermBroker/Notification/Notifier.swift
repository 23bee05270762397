import Machine
import Operations
import PermModel

/// Runs the person's command when a request has waited for a while and no key has been pressed at a dashboard.
final class Notifier: Sendable {
  /// Runs a command with additional environment variables. Returns the reason for a failure; otherwise `nil`.
  typealias Run = @Sendable (_ command: [String], _ variables: [String: String]) async -> String?

  private struct State {
    var queue = UnseenQueue()
    var requests: [Request] = []
    var settings: NotificationSettings?
    var catalogue = CapabilityCatalogue.builtIn
    /// The time at which the command is due, and the task that waits for it.
    var timer: (due: Duration, task: Task<Void, Never>)?
    var isRunning = false
  }

  private let keeper: BoardKeeper
  private let store: any PermissionStore
  private let sleep: @Sendable (Duration) async throws -> Void
  private let run: Run
  private let state = Lock(State())

  init(
    _ keeper: BoardKeeper, _ store: any PermissionStore,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    run: @escaping Run
  ) {
    self.keeper = keeper
    self.store = store
    self.sleep = sleep
    self.run = run
  }

  private var now: Duration { .microseconds(store.environment.now().bootTime) }

  /// Follows the requests in line until the task is cancelled.
  func follow() async {
    for await alerts in keeper.alertsInLine {
      let requests = alerts.compactMap { alert in
        if case .request(let content) = alert.content { content.request } else { nil }
      }
      change { state, now in
        state.requests = requests
        state.queue.update(Set(requests.map { Alert.ID($0.id.text) }), at: now)
      }
    }
    state.withLock { $0.timer?.task.cancel() }
  }

  /// Sets the command, and the capabilities of which it tells.
  func use(_ settings: NotificationSettings?, _ catalogue: CapabilityCatalogue) {
    change { state, _ in (state.settings, state.catalogue) = (settings, catalogue) }
  }

  /// Notes a key press at a dashboard.
  func look() { change { state, now in state.queue.look(at: now) } }

  /// Makes a change, and sets the timer again if the command is due at another time.
  private func change(_ body: (inout State, Duration) -> Void) {
    let now = now
    state.withLock { state in
      body(&state, now)
      let due = state.settings.flatMap { settings in
        state.isRunning ? nil : state.queue.longestUnseen.map { $0.since + settings.after }
      }
      guard due != state.timer?.due else { return }
      state.timer?.task.cancel()
      state.timer = due.map { due in (due, Task.quiet { [weak self] in await self?.tell(after: due - now) }) }
    }
  }

  private func tell(after patience: Duration) async {
    guard (try? await sleep(patience)) != nil, !Task.isCancelled, let (command, variables) = take() else {
      return
    }
    let failure = await run(command, variables)
    if let failure { try? store.noteNotifyFailed("\(command[0]): \(failure)") }
    change { state, _ in state.isRunning = false }
  }

  /// Returns the command and its variables; `nil` if the person no longer needs to be notified.
  private func take() -> (command: [String], variables: [String: String])? {
    state.withLock { state in
      guard let settings = state.settings, !state.isRunning, let unseen = state.queue.longestUnseen,
        let request = state.requests.first(where: { $0.id.text == unseen.id.text })
      else { return nil }
      state.queue.tell()
      state.isRunning = true
      state.timer = nil
      let what = state.catalogue[request.capability]?.definition.reference(for: request.atoms)
      return (
        settings.command,
        request.notification(of: what ?? request.capability, waiting: state.requests.count)
      )
    }
  }
}

extension Request {
  /// The environment variables for the command. Foreign text is escaped, and is nowhere else in the command.
  fileprivate func notification(of what: String, waiting: Int) -> [String: String] {
    [
      "PERMTUI_ID": id.text, "PERMTUI_PROGRAM": VisibleText.escaped(subject.label),
      "PERMTUI_CAPABILITY": VisibleText.escaped(what), "PERMTUI_REASON": VisibleText.escaped(reason ?? ""),
      "PERMTUI_WAITING": "\(waiting)", "PERMTUI_ANSWER": "ssh \(HostName.current) permtui answer",
    ]
  }
}
