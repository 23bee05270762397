import Glibc
import Machine
import PermBroker
import PermModel

/// The terminal from which a program was started. While `permtui request` waits for an answer, it asks on
/// this terminal if that is allowed.
///
/// The question is asked only if standard input and standard error are both this terminal, because a
/// redirected stream belongs to another program.
actor OwnTerminal: ProgramTerminal {
  /// The environment variable whose value `never` forbids asking on the program's own terminal.
  static let variable = "PERMTUI_TTY"

  private let isForbidden: Bool
  private let console: Console
  /// References to what is asked for.
  private let capabilities: [String]
  private nonisolated let signals = Signals([SIGINT, SIGTERM, SIGHUP, SIGCONT])
  private nonisolated let waiting = AsyncStream.makeStream(of: Void.self)
  private(set) var showsQuestion = false
  private var hasSaidHow = false
  private var turn: TerminalLock?
  /// The trigger for another check of whether the program is allowed to ask now.
  private var lookAgain: AsyncStream<Void>.Continuation?

  /// Must be called before any other thread is started; otherwise, that thread would receive the signals.
  init(isForbidden: Bool, capabilities: [String], console: Console) {
    self.isForbidden = isForbidden
    self.capabilities = capabilities
    self.console = console
    // With these signals ignored, a background process that reads from the terminal gets an error, and one
    // that writes to it succeeds. In neither case is the process stopped.
    signal(SIGTTIN, SIG_IGN)
    signal(SIGTTOU, SIG_IGN)
  }

  /// Whether and when the program is allowed to ask on this terminal.
  nonisolated var place: TerminalSnapshot.Place { TerminalSnapshot(isForbidden: isForbidden).place }

  /// Whether the value of ``variable`` forbids asking on the program's own terminal.
  ///
  /// - Throws: ``CommandError`` if the value is neither empty nor `never`.
  static func isForbidden(by value: String?) throws(CommandError) -> Bool {
    guard let value, !value.isEmpty else { return false }
    guard value == "never" else {
      throw .usage(
        "\(variable) is '\(value)', which is not a valid value",
        advice: ["set it to never to have nothing asked on the program's own terminal, or unset it"])
    }
    return true
  }

  // MARK: Signals

  nonisolated func waitForReply(at broker: BrokerConnection, until limit: ContinuousClock.Instant?) -> Bool {
    let prompt = ContinuousClock.now + BrokerConnection.promptness
    if hasReply(at: broker, until: prompt) { return true }
    tell(broker.silence)
    if hasReply(at: broker, until: limit) { return true }
    return !broker.isStopped && hasReply(at: broker, until: limit.map { $0 + BrokerConnection.patience })
  }

  nonisolated func tell(_ words: String) { console.note("permtui: \(words)") }

  /// Waits for a reply, or for a signal that ends the process. Returns `false` if the time is up first.
  private nonisolated func hasReply(at broker: BrokerConnection, until end: ContinuousClock.Instant?) -> Bool
  {
    while true {
      let left = end.map { Int32(clamping: ($0 - .now).wholeMilliseconds) }
      if let left, left <= 0 { return false }
      let ready = Readable.poll([broker.descriptor, signals.descriptor], milliseconds: left ?? -1)
      if let number = signals.take().first(where: { $0 != SIGCONT }) { Signals.end(by: number) }
      if ready.contains(broker.descriptor) { return true }
    }
  }

  /// Waits for a signal that is to end the process, but not before the request is waiting for an answer. Returns the
  /// signal; `nil` if the task was cancelled.
  nonisolated func endingSignal() async -> Int32? {
    for await _ in waiting.stream {}
    while !Task.isCancelled {
      await Readable.wait(for: signals.descriptor)
      let numbers = signals.take()
      if let number = numbers.first(where: { $0 != SIGCONT }) { return number }
      await lookAgain?.yield()
    }
    return nil
  }

  // MARK: The question

  func waits(dashboards: Int) {
    waiting.continuation.finish()
    if dashboards > 0 { takeOff(because: "a dashboard is open, and the question is there now") }
  }

  func ask(
    _ alert: @escaping @Sendable () throws -> Alert, _ line: QuestionLine
  ) async throws -> RequestEnd? {
    var isAsked = false
    while !Task.isCancelled {
      let obstacle = takeTurn()
      if (turn != nil) != isAsked { isAsked = try await line.note(turn != nil) && turn != nil }
      if !isAsked { letOthersAsk(obstacle) }
      switch try await next(asking: isAsked ? brief(alert()) : nil, obstacle) {
      case .typed(let verdict):
        // The end of the request might arrive before the reply to this answer. Until that reply, the question counts as
        // no longer shown, so that the person is not told that something else has answered it.
        showsQuestion = false
        showsQuestion = try await !line.answer(verdict) && !Task.isCancelled
        return nil
      case .inputEnded:
        questionEnded()
        return .dismissed
      case .changed: continue
      }
    }
    return nil
  }

  /// Returns the question in the short form for this terminal: it offers to allow or deny only this one request, and
  /// keeps no decision.
  private func brief(_ alert: Alert) -> Alert {
    guard case .request(var content) = alert.content else { return alert }
    content.choices = Array(content.choices.prefix(1))
    content.covers = Array(content.covers.prefix(1))
    content.lifetimes = [content.lifetimes.first { $0.choice == .once } ?? LifetimeOffer(.once)]
    let label = content.request.subject.label
    if !content.identity.isSuspicious(label: label) {
      let place = content.request.subject.folder.map { ["--in", $0.path.shellQuoted] } ?? []
      let words = ["permtui allow", label.shellQuoted] + capabilities.map(\.shellQuoted) + place
      content.keepCommand = words.joined(separator: " ")
    }
    return Alert(id: alert.id, content: .request(content))
  }

  // MARK: Waiting

  private enum Event {
    case typed(Verdict)
    case inputEnded
    /// A possible change in whether the program is allowed to ask now.
    case changed
  }

  private enum Obstacle {
    /// Another program is asking on this terminal.
    case question
    /// Another job is in the foreground.
    case job
  }

  /// If the program is allowed to ask now and no other program has the turn, takes the turn and keeps it until the
  /// question ends. If the program is not allowed to ask, gives up the turn.
  ///
  /// - Returns: The obstacle that must go away first; `nil` if the program has the turn or must not ask at all.
  private func takeTurn() -> Obstacle? {
    let place = place
    turn = place == .here ? turn ?? TerminalLock() : nil
    switch place {
    case .here: return turn == nil ? .question : nil
    case .inForeground: return .job
    case .elsewhere: return nil
    }
  }

  private func letOthersAsk(_ obstacle: Obstacle?) {
    turn = nil
    guard !hasSaidHow, obstacle != .question else { return }
    hasSaidHow = true
    console.note("permtui: waiting for an answer. Open permtui, or run: permtui answer")
  }

  /// Asks the question, if there is one, and waits for the next event.
  ///
  /// - Parameters:
  ///   - alert: The question to ask; `nil` to ask nothing.
  ///   - obstacle: The obstacle that ``takeTurn()`` found. It might have gone away since then.
  private func next(asking alert: Alert?, _ obstacle: Obstacle?) async throws -> Event {
    if alert != nil { showsQuestion = true }
    let (looks, look) = AsyncStream.makeStream(of: Void.self)
    lookAgain = look
    let event = try await first(
      of: { await Self.ask(alert) }, { [isForbidden] in await Self.wait(for: obstacle, isForbidden) },
      {
        for await _ in looks { return Event.changed }
        return nil
      })
    return event ?? .changed
  }

  private static func ask(_ alert: Alert?) async -> Event? {
    guard let alert else { return nil }
    let presenter = LinePresenter(takenOffSilently: STDIN_FILENO, output: STDERR_FILENO)
    let response = try? await presenter.present(alert)
    if Task.isCancelled { return nil }
    switch response {
    case .answered(let answer)?: return .typed(answer.verdict)
    case nil: return .changed
    default: return .inputEnded
    }
  }

  /// The interval between checks of whether the program is in the foreground. The checks are necessary because a shell
  /// sends a signal when it continues a stopped job, but not when it gives the terminal to a running job.
  private static let look = Duration.seconds(1)

  /// Waits until the obstacle is gone. Returns `nil` if there is no obstacle, or if the task was cancelled.
  private static func wait(for obstacle: Obstacle?, _ isForbidden: Bool) async -> Event? {
    switch obstacle {
    case .question: return await TerminalLock.waitUntilFree() ? .changed : nil
    case .job:
      while TerminalSnapshot(isForbidden: isForbidden).place == .inForeground {
        guard (try? await QuietClock.sleep(for: look)) != nil else { return nil }
      }
      return .changed
    case nil: return nil
    }
  }

  // MARK: The end of a question

  private func questionEnded() {
    showsQuestion = false
    turn = nil
  }

  /// Removes the question from the terminal because the request has ended elsewhere.
  func takeOff(after end: RequestEnd) {
    takeOff(because: end == .timedOut ? nil : "the question is over: something else has answered it")
  }

  /// If a question is shown, removes it from the terminal and says why. Input that was already typed in reply
  /// is discarded, so that no other program reads it.
  ///
  /// - Parameter why: The reason; `nil` if another message gives it.
  private func takeOff(because why: String?) {
    defer { questionEnded() }
    guard showsQuestion else { return }
    if place == .here { StandardStream.dropTyped(StandardStream.input) }
    if let why { console.note("permtui: \(why)") }
  }
}
