import Machine
import PermModel

/// What ends a wait of `permtui request`.
enum WaitEvent: Hashable, Sendable {
  /// The broker said something, or went away.
  case brokerSpoke
  /// There is a broker now.
  case brokerCame
  case storeChanged
  case timedOut
  case signalled
  /// The person answered on the program's own terminal.
  case typed(Verdict)
  /// The input of that terminal ended.
  case inputEnded
  /// The program may ask on its terminal now, or no longer may.
  case terminalChanged
}

/// Waits for an event; `nil` if the task was cancelled before.
typealias WaitSource = @Sendable () async -> WaitEvent?

extension WaitEvent {
  /// Waits for the first of several events.
  static func first(of sources: [WaitSource]) -> WaitEvent? {
    AsyncBridge.wait {
      await withTaskGroup(of: WaitEvent?.self) { group in
        for source in sources { group.addTask(operation: source) }
        defer { group.cancelAll() }
        for await event in group { if let event { return event } }
        return nil
      }
    }
  }

  /// Comes when there is something to read, or the other side is gone.
  static func reading(_ descriptor: Int32, _ event: WaitEvent) -> WaitSource {
    {
      await Readable.wait(for: descriptor) == nil ? nil : event
    }
  }

  static func deadline(_ deadline: ContinuousClock.Instant) -> WaitSource {
    { (try? await Task.sleep(until: deadline, clock: .continuous)) == nil ? nil : .timedOut }
  }
}
