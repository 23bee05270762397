import Dispatch
import Machine
import PermBroker
import PermModel

/// The answerer of a run that a broker serves: its questions appear in the person's usual queue.
///
/// If the broker goes away, its questions are asked at the next one, under the same ids. If there is none for ten seconds,
/// they end without an answer.
final class BrokerQuestions: QuestionAnswerer {
  private struct Question: Sendable {
    var asked: RunQuestion
    var answered: @Sendable (RunQuestion.Answer) -> Void
    /// When the question began to wait for a broker; `nil` while one has it.
    var unsentSince: Int64?
  }

  private struct State {
    var run: SupervisedRun?
    var questions: [Number: Question] = [:]
    var next = 1
    var hasSaidThatNobodyWatches = false
    /// Whether the run has reached a socket of the host.
    var hasLeft = false
    /// Whether the questions will be sent again after a pause.
    var isPausing = false
  }

  private let connect: @Sendable () throws -> SupervisedRun
  private let addresses: [BrokerAddress]
  /// Ends the run.
  private let endRun: @Sendable () -> Void
  let doors: [AbsolutePath]
  private let notes: Notes
  private let state: Lock<State>
  /// The queue on which calls to the broker are made, one after the other.
  private let calls = DispatchQueue(label: "permtui-run.calls")

  /// - Parameters:
  ///   - run: The run, as the first broker has admitted it.
  ///   - addresses: The places of the brokers of the store.
  ///   - end: Ends the run.
  ///   - connect: Announces the run to the next broker.
  init(
    _ run: SupervisedRun, at addresses: [BrokerAddress], notes: Notes, end: @escaping @Sendable () -> Void,
    connect: @escaping @Sendable () throws -> SupervisedRun
  ) {
    (self.connect, endRun, self.addresses, self.notes) = (connect, end, addresses, notes)
    doors = addresses.compactMap { try? AbsolutePath($0.path(of: .ask)) }
    state = Lock(State(run: run))
    follow(run)
  }

  func ask(
    _ uses: [some AskedUse], by thread: Int32, answered: @escaping @Sendable (RunQuestion.Answer) -> Void
  ) -> Number {
    let (atoms, caution) = (uses.map(\.atom), uses.lazy.compactMap(\.caution).first)
    let number = state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
    calls.async { [self] in
      guard let process = WalledProcess(thread: thread) else { return answered(.init(.unanswered)) }
      let asked = RunQuestion(id: RandomID.make(), atoms: atoms, caution: caution, asking: process)
      state.withLock {
        $0.questions[number] = Question(asked: asked, answered: answered, unsentSince: Self.now)
      }
      sendAll()
    }
    return number
  }

  func unask(_ number: Number) {
    calls.async { [self] in
      let (question, run) = state.withLock { ($0.questions.removeValue(forKey: number), $0.run) }
      if let question, question.unsentSince == nil { try? run?.unask(question.asked.id) }
    }
  }

  func enter(_ visit: DoorVisit) throws -> RelayedConnection {
    let run = calls.sync { state.withLock(\.run) ?? reconnect() }
    guard let run, let process = WalledProcess(thread: visit.thread) else { throw BrokerError.disconnected }
    return try run.connect(
      for: process, in: String(decoding: visit.folder.bytes, as: UTF8.self), hasLeft: hasLeft)
  }

  func leave() { state.withLock { $0.hasLeft = true } }

  private var hasLeft: Bool { state.withLock(\.hasLeft) }

  private static var now: Int64 { SystemClock.monotonic.milliseconds }
}

// MARK: - Ends

extension BrokerQuestions {
  /// Follows the ends of questions on a thread of its own, until the broker goes away.
  private func follow(_ run: SupervisedRun) {
    BlockingThread.start { [self] in
      while let news = try? run.next() { take(news) }
      calls.async { [self] in lose(run) }
    }
  }

  private func take(_ news: SupervisedRun.News) {
    switch news {
    case .ended(let question, let answer): end(question, answer)
    case .end:
      notes.note("ended by a panic")
      endRun()
    }
  }

  private func end(_ id: String, _ answer: RunQuestion.Answer) {
    let question = state.withLock { state in
      state.questions.first { $0.value.asked.id == id }.flatMap {
        state.questions.removeValue(forKey: $0.key)
      }
    }
    question?.answered(answer)
  }

  private func lose(_ run: SupervisedRun) {
    let isLost = state.withLock { state in
      guard state.run === run else { return false }
      state.run = nil
      for number in state.questions.keys { state.questions[number]?.unsentSince = Self.now }
      return true
    }
    sendAll()
    if isLost { awaitNext() }
  }

  /// Announces the run to the next broker once one listens, though there may be nothing to ask: a panic must find the run.
  private func awaitNext() {
    let watch = BrokerWatch(addresses)
    Task.quiet { [self] in
      // One may have begun to listen before the watch.
      while !announced() { guard await watch.waitUntilListening() else { return } }
    }
  }

  /// Announces the run, unless a broker knows it already. Returns whether one does.
  private func announced() -> Bool { calls.sync { (state.withLock(\.run) ?? reconnect()) != nil } }
}

// MARK: - Calls

extension BrokerQuestions {
  /// The time for which questions wait for the next broker, and the pause between two attempts to reach it, in
  /// milliseconds.
  private static let patience: Int64 = 10_000
  private static let pause = 50

  /// Sends the questions that no broker has, the oldest first.
  private func sendAll() {
    guard let run = state.withLock(\.run) ?? (unsent.isEmpty ? nil : reconnect()) else {
      expire()
      return tryAgain()
    }
    for (number, question) in unsent where !send(question.asked, number, to: run) { return }
  }

  private var unsent: [(Number, Question)] {
    let questions = state.withLock { $0.questions.filter { $0.value.unsentSince != nil } }
    return questions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns whether the broker can be sent more.
  private func send(_ question: RunQuestion, _ number: Number, to run: SupervisedRun) -> Bool {
    do {
      let watchers = try run.ask(question, hasLeft: hasLeft)
      state.withLock { $0.questions[number]?.unsentSince = nil }
      if watchers == 0 { sayThatNobodyWatches(question) }
      return true
    } catch BrokerError.tooMuch {
      // Places and tokens come back by themselves.
      tryAgain()
      return false
    } catch let error as BrokerError where !error.isAboutConnection {
      notes.note("cannot ask \(question.inWords): \(error)")
      state.withLock { $0.questions.removeValue(forKey: number) }?.answered(.init(.unanswered))
      return true
    } catch {
      tryAgain()
      return false
    }
  }

  private func sayThatNobodyWatches(_ question: RunQuestion) {
    let isFirst = state.withLock { state in
      defer { state.hasSaidThatNobodyWatches = true }
      return !state.hasSaidThatNobodyWatches
    }
    guard isFirst else { return }
    notes.note(
      "\(question.asking.name) asks \(question.inWords) and waits; to answer, run permtui in another terminal"
    )
  }

  /// Announces the run to the next broker, if there is one.
  private func reconnect() -> SupervisedRun? {
    guard let run = try? connect() else { return nil }
    state.withLock { $0.run = run }
    follow(run)
    return run
  }

  /// Ends the questions that have waited too long for the next broker.
  private func expire() {
    let now = Self.now
    for (number, question) in unsent where now - (question.unsentSince ?? now) >= Self.patience {
      notes.note("PermTUI has ended, so this is denied: \(question.asked.inWords)")
      state.withLock { $0.questions.removeValue(forKey: number) }?.answered(.init(.unanswered))
    }
  }

  /// Sends the questions that no broker has, if there are any, after a pause.
  private func tryAgain() {
    let begins =
      !unsent.isEmpty
      && state.withLock { state in
        defer { state.isPausing = true }
        return !state.isPausing
      }
    guard begins else { return }
    calls.asyncAfter(deadline: .now() + .milliseconds(Self.pause)) { [self] in
      state.withLock { $0.isPausing = false }
      sendAll()
    }
  }
}

extension BrokerError {
  fileprivate var isAboutConnection: Bool {
    switch self {
    case .disconnected, .silent: true
    default: false
    }
  }
}

extension WalledProcess {
  /// Returns the process of a thread behind the walls; `nil` if it is gone. Only what the kernel itself says is read,
  /// because everything else could wait for the warden.
  fileprivate init?(thread: Int32) {
    guard let status = try? Files.bytes(ofProcess: "/proc/\(thread)/status", limit: 4096),
      let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first(where: {
        $0.hasPrefix("Tgid:")
      }), let process = line.split(separator: "\t").last.flatMap({ Int32($0) }),
      let stat = ProcessStat(of: process)
    else { return nil }
    self.init(
      name: stat.name.isEmpty ? "?" : stat.name,
      process: ProcessIdentity(pid: process, startTime: stat.startTime))
  }
}
