import Operations

/// Those who wait for the turn of their program.
final class TurnLine: Sendable {
  private struct State {
    var turns = Turns<ProgramInLine, Alert.ID>()
    var waiting: [Alert.ID: CheckedContinuation<Void, any Error>] = [:]
  }

  private let state = Lock(State())

  /// Waits until an alert's turn has come, which lasts until ``end(_:of:)``.
  ///
  /// - Throws: `CancellationError` when the task is cancelled; the alert is then in no line any more.
  func waitForTurn(_ id: Alert.ID, of program: ProgramInLine) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isAtOnce = state.withLock { state in
          let isAtOnce = state.turns.begin(id, of: program)
          if !isAtOnce { state.waiting[id] = continuation }
          return isAtOnce
        }
        if isAtOnce {
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
  func end(_ id: Alert.ID, of program: ProgramInLine) {
    let next: CheckedContinuation<Void, any Error>? = state.withLock { state in
      state.turns.end(id, of: program).flatMap { state.waiting.removeValue(forKey: $0) }
    }
    next?.resume()
  }

  /// Takes one that still waits out of the line.
  private func leave(_ id: Alert.ID, of program: ProgramInLine) {
    let waiting: CheckedContinuation<Void, any Error>? = state.withLock { state in
      guard let waiting = state.waiting.removeValue(forKey: id) else { return nil }
      _ = state.turns.end(id, of: program)
      return waiting
    }
    waiting?.resume(throwing: CancellationError())
  }
}

/// Whose turn it is: the file, whatever it calls itself, as with the limits.
enum ProgramInLine: Hashable, Sendable {
  case file(FileIdentity, isSandboxed: Bool)
  case label(String)

  init(_ subject: Subject) {
    self = subject.file.map { .file($0, isSandboxed: subject.isSandboxed) } ?? .label(subject.label)
  }
}

extension Alert {
  /// The program that asks; `nil` for what is no request.
  var program: ProgramInLine? {
    if case .request(let alert) = content { ProgramInLine(alert.request.subject) } else { nil }
  }
}
