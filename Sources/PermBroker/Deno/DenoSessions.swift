import Machine

/// The conversations with all Deno processes.
final class DenoSessions: Sendable {
  private struct State {
    var sessions: [ObjectIdentifier: DenoSession] = [:]
    var hasEnded = false
  }

  private let state = Lock(State())
  private let turns = DenoOrder()

  /// Begins a conversation. Returns `nil` if the broker is ending.
  func begin(_ answerer: any DenoAnswerer, with peer: Peer) -> DenoSession? {
    let session = DenoSession(answerer, peer, turns)
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
final class DenoOrder: Sendable {
  /// The end of the last turn of each process.
  private let last = Lock<[Int32: OneShot<Void>]>([:])

  /// Asks a question as soon as no other question of the process is open.
  func take<Reply>(_ process: Int32, _ ask: () async -> Reply) async -> Reply {
    let end = OneShot<Void>()
    let before = last.withLock { last in
      defer { last[process] = end }
      return last[process]
    }
    await before?.value
    defer {
      last.withLock { if $0[process] === end { $0[process] = nil } }
      end.set(())
    }
    return await ask()
  }
}
