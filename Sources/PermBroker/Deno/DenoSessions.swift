import Machine

/// The conversations with all Deno processes.
final class DenoSessions: Sendable {
  private struct State {
    var sessions: [ObjectIdentifier: DenoSession] = [:]
    var hasEnded = false
  }

  private let state = Lock(State())
  private let turns = DenoTurns()

  /// Begins a conversation. Returns `nil` if the broker is ending.
  func begin(_ desk: any DenoDesk, with peer: Peer) -> DenoSession? {
    let session = DenoSession(desk, peer, turns)
    return state.withLock { state in
      guard !state.hasEnded else { return nil }
      state.sessions[ObjectIdentifier(session)] = session
      return session
    }
  }

  /// Forgets a conversation whose connection is closed.
  func leave(_ session: DenoSession) {
    _ = state.withLock { $0.sessions.removeValue(forKey: ObjectIdentifier(session)) }
  }

  /// Denies all questions that are open, and waits until the denials have been sent.
  func end() async {
    let sessions = state.withLock { state in
      state.hasEnded = true
      return Array(state.sessions.values)
    }
    await withTaskGroup(of: Void.self) { group in
      for session in sessions { group.addTask { await session.end() } }
    }
  }
}

/// The order in which the connections of one process ask a person. Deno itself has a single connection.
final class DenoTurns: Sendable {
  /// The connections that wait, by their process. A process with an entry has a question open.
  private let lines = Lock<[Int32: [CheckedContinuation<Void, Never>]]>([:])

  /// Waits until no other question of a process is open.
  func begin(_ process: Int32) async {
    await withCheckedContinuation { continuation in
      let isFirst = lines.withLock { lines in
        guard lines[process] != nil else {
          lines[process] = []
          return true
        }
        lines[process]?.append(continuation)
        return false
      }
      if isFirst { continuation.resume() }
    }
  }

  func end(_ process: Int32) {
    let next = lines.withLock { lines -> CheckedContinuation<Void, Never>? in
      guard lines[process]?.isEmpty == false else {
        lines[process] = nil
        return nil
      }
      return lines[process]?.removeFirst()
    }
    next?.resume()
  }
}
