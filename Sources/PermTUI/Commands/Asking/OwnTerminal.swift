import Glibc
import Machine
import PermBroker
import PermModel

/// The terminal that a program was started from. `permtui request` asks there while it waits, if it may.
///
/// The question is asked only on standard input and standard error: a redirected stream belongs to another program.
actor OwnTerminal: ProgramTerminal {
  /// The variable that forbids asking there if its value is `never`.
  static let variable = "PERMTUI_TTY"

  private let isForbidden: Bool
  private let console: Console
  /// The requested capability, as the program named it.
  private let capability: String
  private nonisolated let signals = Signals([SIGINT, SIGTERM, SIGHUP, SIGCONT])
  private nonisolated let waiting = AsyncStream.makeStream(of: Void.self)
  private(set) var showsQuestion = false
  private var hasSaidHow = false
  private var turn: TerminalTurn?
  /// Triggers another check of whether the program may ask.
  private var lookAgain: AsyncStream<Void>.Continuation?

  /// Must be called before any thread is started, because that thread would receive the signals instead.
  init(isForbidden: Bool, capability: String, console: Console) {
    self.isForbidden = isForbidden
    self.capability = capability
    self.console = console
    // Reading in the background now fails, and writing works; neither stops the process.
    signal(SIGTTIN, SIG_IGN)
    signal(SIGTTOU, SIG_IGN)
  }

  /// The place where the program may ask now.
  nonisolated var place: TerminalSnapshot.Place { TerminalSnapshot(isForbidden: isForbidden).place }

  /// Whether a variable's value forbids asking there.
  static func isForbidden(by value: String?) throws(CommandError) -> Bool {
    guard let value, !value.isEmpty else { return false }
    guard value == "never" else {
      throw .usage(
        "\(variable) is '\(value)', which means nothing",
        advice: ["set it to never to have nothing asked on the program's own terminal, or unset it"])
    }
    return true
  }

  // MARK: Signals

  nonisolated func waitForReply(at descriptor: Int32) {
    var hasReply = false
    while !hasReply {
      hasReply = Readable.poll([descriptor, signals.descriptor]).contains(descriptor)
      if let number = signals.take().first(where: { $0 != SIGCONT }) { Signals.end(by: number) }
    }
  }

  /// Waits, once the request is waiting, for a signal that ends the process; `nil` if the task was cancelled.
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
        // The request's end may arrive before the reply that says whether the answer was taken.
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

  /// Returns the question as it is asked here: yes or no, for this once, with no decision kept.
  private func brief(_ alert: Alert) -> Alert {
    guard case .request(var content) = alert.content else { return alert }
    content.choices = Array(content.choices.prefix(1))
    content.lifetimes = [LifetimeOffer(.once)]
    let label = content.request.subject.label
    if !content.identity.isSuspicious(label: label) {
      content.keepCommand = "permtui allow \(label.shellQuoted) \(capability.shellQuoted)"
    }
    return Alert(id: alert.id, content: .request(content))
  }

  // MARK: Waiting

  private enum Event {
    case typed(Verdict)
    case inputEnded
    /// The program may ask now, or may not ask any longer.
    case changed
  }

  private enum Obstacle {
    /// Another program is asking there.
    case question
    /// Another job is in the foreground.
    case job
  }

  /// Takes the turn to ask if the program may and no other program has it, and keeps it until the question ends.
  ///
  /// - Returns: The obstacle that keeps the program from asking; `nil` if there is none to wait for.
  private func takeTurn() -> Obstacle? {
    let place = place
    turn = place == .here ? turn ?? TerminalTurn() : nil
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
    console.note(
      "permtui: waiting for an answer about \(console.visible(capability)): open permtui, or run permtui answer"
    )
  }

  /// Waits for the next event, and asks in the meantime.
  ///
  /// - Parameters:
  ///   - alert: The question to ask; `nil` to ask nothing.
  ///   - obstacle: The obstacle found before; the program may have come to the foreground since.
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

  /// The interval of checking whether the program is in the foreground. No signal reports this: a shell sends one when
  /// it continues a stopped job, but none when it gives the terminal to a running one.
  private static let look = Duration.seconds(1)

  /// Waits until the obstacle is gone; `nil` if there is none, or if the task was cancelled.
  private static func wait(for obstacle: Obstacle?, _ isForbidden: Bool) async -> Event? {
    switch obstacle {
    case .question: return await TerminalTurn.waitUntilFree() ? .changed : nil
    case .job:
      while TerminalSnapshot(isForbidden: isForbidden).place == .inForeground {
        guard (try? await Task.sleep(for: look)) != nil else { return nil }
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

  /// Takes the question off because the request has ended elsewhere.
  func takeOff(after end: RequestEnd) {
    takeOff(because: end == .timedOut ? nil : "the question is over: something else has answered it")
  }

  /// Takes the question off, if one is shown, and says why. Anything typed at it is discarded, so that no other program
  /// reads it.
  ///
  /// - Parameter why: The reason; `nil` if it is reported anyway.
  private func takeOff(because why: String?) {
    defer { questionEnded() }
    guard showsQuestion else { return }
    if place == .here { StandardStream.dropTyped(StandardStream.input) }
    if let why { console.note("permtui: \(why)") }
  }
}

extension String {
  /// The text as one word of a shell's command line, whatever it contains.
  var shellQuoted: String {
    let isPlain = allSatisfy { character in
      character.isASCII && (character.isLetter || character.isNumber) || "-_./@:,=+".contains(character)
    }
    return isPlain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
  }
}
