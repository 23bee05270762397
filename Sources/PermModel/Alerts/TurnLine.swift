import Machine

/// Those who wait for the turn of their program.
final class TurnLine: Sendable {
  private struct State {
    var turns = Turns<Asker, Alert.ID>()
    var waiting: [Alert.ID: CheckedContinuation<Void, any Error>] = [:]
    /// Those whose turn came before they waited for it.
    var called: Set<Alert.ID> = []
  }

  private let state = Lock(State())

  /// Adds an alert. Gives whether it is its turn at once, which lasts until ``end(_:of:)``; if not, it must
  /// ``waitForTurn(_:of:)``.
  func begin(_ id: Alert.ID, of program: Asker) -> Bool {
    state.withLock { $0.turns.begin(id, of: program) }
  }

  /// Waits until the turn of an alert that was added has come, which lasts until ``end(_:of:)``.
  ///
  /// - Throws: `CancellationError` when the task is cancelled; the alert is then in no line any more.
  func waitForTurn(_ id: Alert.ID, of program: Asker) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCalled = state.withLock { state in
          let isCalled = state.called.remove(id) != nil
          if !isCalled { state.waiting[id] = continuation }
          return isCalled
        }
        if isCalled {
          continuation.resume()
        } else if Task.isCancelled {
          leave(id, of: program)
        }
      }
    } onCancel: {
      leave(id, of: program)
    }
  }

  /// Ends a turn: the next request of the same program goes on.
  func end(_ id: Alert.ID, of program: Asker) {
    let next: CheckedContinuation<Void, any Error>? = state.withLock { state in
      guard let next = state.turns.end(id, of: program) else { return nil }
      let waiting = state.waiting.removeValue(forKey: next)
      if waiting == nil { state.called.insert(next) }
      return waiting
    }
    next?.resume()
  }

  /// Takes one that still waits out of the line.
  private func leave(_ id: Alert.ID, of program: Asker) {
    let waiting: CheckedContinuation<Void, any Error>? = state.withLock { state in
      guard let waiting = state.waiting.removeValue(forKey: id) else { return nil }
      _ = state.turns.end(id, of: program)
      return waiting
    }
    waiting?.resume(throwing: CancellationError())
  }
}

extension Alert {
  /// The program that asks; `nil` for what is no request.
  var program: Asker? {
    if case .request(let alert) = content { Asker(alert.request.subject) } else { nil }
  }
}
