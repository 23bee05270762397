import CWalls
import Machine
import PermBroker
import PermModel

// The uses that have to be allowed, and the questions about them.
extension NetworkWarden {
  /// Returns whether a use is allowed; `false` if a person is asked about it, under the first of its names.
  ///
  /// - Parameter remark: A sentence for the person who is asked.
  func permit(
    _ names: [NetworkUse], for attempt: Attempt, _ remark: @autoclosure () -> String? = nil
  ) throws(Failure) -> Bool {
    switch ruling(onAny: names) {
    case .allowed: return true
    case .denied, .suspended: throw .denied
    case .open: break
    }
    ask(names[0], for: attempt, remark())
    return false
  }

  /// Returns the ruling about a use that has several names.
  func ruling(onAny names: [NetworkUse]) -> Ruling { Self.sum(names.map { ruling(on: $0) }) }

  private static func sum(_ rulings: [Ruling]) -> Ruling {
    [.denied, .suspended, .allowed].first(where: rulings.contains) ?? .open
  }

  private func ruling(on use: NetworkUse) -> Ruling {
    let ruling = decided(use)
    if ruling == .allowed { return .allowed }
    let now = SystemClock.monotonic.milliseconds
    return state.withLock { state in
      if ruling == .denied { state.answers.deny(use) }
      return ruling == .open ? state.answers.ruling(on: use, at: now) : ruling
    }
  }

  /// The ruling that follows from decisions alone.
  private func decided(_ use: NetworkUse) -> Ruling {
    switch use {
    case .host(let use): settings.rulings.ruling(on: use)
    case .socket(let use): settings.rulings.ruling(on: use)
    }
  }

  private func ask(_ use: NetworkUse, for attempt: Attempt, _ remark: String?) {
    let isNew = state.withLock { state in
      let isNew = state.questions.add(attempt, to: use)
      if isNew { state.answers.begin(use) }
      return isNew
    }
    if isNew {
      if let remark { settings.notes.note(remark) }
      let number = settings.answerer.ask(use, by: attempt.call.request.thread) { [self] in
        take($0, of: use)
      }
      state.withLock { $0.answers.begun(use, number) }
    }
    // It may have been decided before the question was noted.
    if ruling(onAny: [use]) != .open { continueAnswered() }
  }

  private func take(_ answer: RunQuestion.End, of use: NetworkUse) {
    let now = SystemClock.monotonic.milliseconds
    guard state.withLock({ $0.answers.take(answer, of: use, at: now) }) else { return }
    continueAnswered()
    state.withLock { $0.answers.forgetUnanswered() }
  }

  /// Goes on with the attempts whose questions are answered by now.
  func continueAnswered() {
    let uses = state.withLock(\.questions.uses)
    let rulings = Dictionary(uniqueKeysWithValues: uses.map { ($0, ruling(on: $0)) })
    let isDenied = { [Ruling.denied, .suspended].contains(rulings[$0] ?? .open) }
    let denied = state.withLock { state in state.questions.takeAnswered { isDenied($0) ? .denied : .open } }
    for attempt in denied { attempt.call.end(Failure.denied.code) }
    let allowed = state.withLock { state in state.questions.takeAnswered { rulings[$0] ?? .open } }
    for attempt in allowed { proceed(attempt) }
    withdrawQuestions()
  }

  /// Forgets the calls for which no thread waits any more, and withdraws the questions that are left without a call.
  func forgetGone() {
    let attempts = state.withLock(\.questions.operations)
    let gone = Set(attempts.filter { !$0.call.isWaiting }.map(\.call.request.id))
    guard !gone.isEmpty else { return }
    _ = state.withLock { $0.questions.remove { gone.contains($0.call.request.id) } }
    withdrawQuestions()
  }

  private func withdrawQuestions() {
    let numbers = state.withLock { state in state.answers.withdraw(except: Set(state.questions.uses)) }
    numbers.forEach(settings.answerer.unask)
  }
}

// MARK: - Taking back

extension NetworkWarden {
  /// Whether a connection may be made, or stay.
  func holds(_ permission: Permission) -> Bool {
    permission.needed.allSatisfy { ruling(onAny: $0) == .allowed }
      && permission.unopposed.allSatisfy { [.open, .allowed].contains(ruling(onAny: $0)) }
  }

  /// Notes a connection that was made, before the program has it.
  func note(_ socket: walls_socket, _ permission: Permission) throws(Failure) {
    let connection = Connections.Connection(
      cookie: socket.cookie, inode: socket.inode, permission: lasting(permission))
    let isFull = state.withLock { state in
      state.connections.add(connection)
      return state.connections.isFull
    }
    if isFull { forgetClosed() }
    // It may have been denied while the connection was made.
    guard holds(permission) else { throw .denied }
  }

  /// An answer for this time lasts as long as the connection.
  private func lasting(_ permission: Permission) -> Permission {
    func isDecided(_ names: [NetworkUse]) -> Bool { Self.sum(names.map(decided)) == .allowed }
    return Permission(
      needed: permission.needed.filter(isDecided),
      unopposed: permission.unopposed + permission.needed.filter { !isDecided($0) })
  }

  private func forgetClosed() {
    let before = state.withLock { $0.connections.all.count }
    let open = processes.openSockets
    state.withLock { $0.connections.keep(open, ofFirst: before) }
  }

  /// Cuts the connections that are no longer allowed.
  func takeBack() {
    let lost = state.withLock(\.connections.all).filter { !holds($0.permission) }
    guard !lost.isEmpty else { return }
    let (copies, left) = processes.take(lost)
    state.withLock { $0.connections.remove(Set(lost.map(\.cookie))) }
    // The program may end because of it, and the warden with the program, so it is said before.
    if !copies.isEmpty {
      settings.notes.note("cut \(copies.count) \(copies.count == 1 ? "connection" : "connections")")
    }
    for copy in copies {
      shutdown(copy, Int32(SHUT_RDWR))
      close(copy)
    }
    guard !left.isEmpty else { return }
    settings.notes.note("a connection cannot be cut, so everything inside ends")
    kill(processes.root, SIGKILL)
  }
}
