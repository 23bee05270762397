import Glibc
import PermBroker
import PermModel

/// The terminal that a program was started from, on which `permtui request` asks while it waits, where it may.
///
/// It is asked on standard input and standard error, and nowhere else: what was redirected belongs to another program.
final class OwnTerminal {
  /// The variable that forbids asking there by the value `never`.
  static let variable = ProcessEnvironment.ownTerminal

  private let isForbidden: Bool
  private let console: Console
  private let signals = Signals([SIGINT, SIGTERM, SIGHUP, SIGCONT])
  /// Whether a question is shown that still seems to count.
  private(set) var showsQuestion = false
  private var hasSaidHow = false
  private var turn: TerminalTurn?
  /// What keeps the program from asking, as ``takeTurn()`` found it; `nil` where there is nothing to wait for.
  private var obstacle: Obstacle?

  private enum Obstacle {
    /// Another program asks there.
    case question
    /// Another job is in the foreground.
    case job
  }

  /// Made before anything that starts threads, which would take the signals instead.
  init(isForbidden: Bool, console: Console) {
    self.isForbidden = isForbidden
    self.console = console
    // In the background, reading fails and writing works; neither stops the process.
    signal(SIGTTIN, SIG_IGN)
    signal(SIGTTOU, SIG_IGN)
  }

  /// Where the program may ask now.
  var place: TerminalSnapshot.Place { TerminalSnapshot(isForbidden: isForbidden).place }

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

  /// Whether the program may ask now and no other does; then it keeps the turn until its question ends.
  func takeTurn() -> Bool {
    let place = place
    turn = place == .here ? turn ?? TerminalTurn() : nil
    obstacle =
      switch place {
      case .here: turn == nil ? .question : nil
      case .inForeground: .job
      case .elsewhere: nil
      }
    return turn != nil
  }

  // MARK: Waiting

  /// Waits for the first of some events, and asks meanwhile.
  ///
  /// - Parameter alert: What to ask; `nil` to ask nothing, also where the program may.
  func wait(asking alert: Alert?, _ sources: [WaitSource]) -> WaitEvent {
    var sources = sources + [WaitEvent.reading(signals.descriptor, .signalled)]
    if let alert {
      showsQuestion = true
      sources.append { await Self.ask(alert) }
    } else {
      turn = nil
    }
    // By what was found before: the program may have come to the foreground since.
    switch obstacle {
    case .question: sources.append { await TerminalTurn.waitUntilFree() }
    case .job: sources.append { [isForbidden] in await Self.waitForForeground(isForbidden: isForbidden) }
    case nil: break
    }
    obstacle = nil
    return WaitEvent.first(of: sources) ?? .terminalChanged
  }

  /// Waits until a descriptor can be read, without starting a thread; `false` if a signal came first.
  func waitUntilReadable(_ descriptor: Int32) -> Bool {
    var polled = [descriptor, signals.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&polled, 2, -1) < 0, errno == EINTR {}
    return polled[0].revents != 0
  }

  /// Ends the process by a signal that came, if it was one that ends it.
  ///
  /// - Parameter leaving: Called before that.
  func takeSignals(leaving: () -> Void = {}) {
    guard let number = signals.take().first(where: { $0 != SIGCONT }) else { return }
    leaving()
    Signals.end(by: number)
  }

  private static func ask(_ alert: Alert) async -> WaitEvent? {
    let presenter = LinePresenter(takenOffSilently: STDIN_FILENO, output: STDERR_FILENO)
    let response = try? await presenter.present(alert)
    if Task.isCancelled { return nil }
    switch response {
    case .answered(let answer)?: return .typed(answer.verdict)
    case nil: return .terminalChanged
    default: return .inputEnded
    }
  }

  /// How often it is looked whether the program is in the foreground. No signal tells: a shell continues a job that was
  /// stopped, and gives the terminal to one that runs without a word.
  private static let look = Duration.seconds(1)

  private static func waitForForeground(isForbidden: Bool) async -> WaitEvent? {
    while TerminalSnapshot(isForbidden: isForbidden).place == .inForeground {
      guard (try? await Task.sleep(for: look)) != nil else { return nil }
    }
    return .terminalChanged
  }

  // MARK: The end of a question

  /// Notes that the question that is shown has come to its end here.
  func questionEnded() {
    showsQuestion = false
    turn = nil
  }

  /// Says why the question that is shown counts no more, if one is. What was typed at it is thrown away, so that no other
  /// program reads it.
  ///
  /// - Parameter why: `nil` where that is said anyway.
  func takeOff(because why: String?) {
    defer { questionEnded() }
    guard showsQuestion else { return }
    if place == .here { tcflush(STDIN_FILENO, TCIFLUSH) }
    if let why { console.note("permtui: \(why)") }
  }

  /// Takes the question off, as the request has ended elsewhere.
  func takeOff(after end: RequestEnd) {
    takeOff(because: end == .timedOut ? nil : "the question is over: something else has answered it")
  }

  /// Says once how an answer can be given where nothing is asked.
  func sayHow(_ capability: String) {
    guard !hasSaidHow, obstacle != .question else { return }
    hasSaidHow = true
    console.note(
      "permtui: waiting for an answer about \(console.visible(capability)): open permtui, or run permtui answer"
    )
  }
}
