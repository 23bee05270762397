import CNcurses
import Glibc

/// Runs a program line by line: waits for keys, signals, messages and deadlines in one `poll`, as ``EventLoop`` does
/// for a screen.
///
/// It runs on the thread that calls it and starts no other. While nothing happens, it does not wake up.
final class LineLoop<Program: LineProgram> {
  private var program: Program
  private let terminal: LineTerminal
  private let inbox: Inbox<Program.Message>
  private let signals: Signals
  private var decoder: InputDecoder
  private var exitCode: Int32?

  /// - Parameter signals: made before any other thread was started.
  init(_ program: Program, on terminal: LineTerminal, inbox: Inbox<Program.Message>, signals: Signals) {
    self.program = program
    self.terminal = terminal
    self.inbox = inbox
    self.signals = signals
    decoder = InputDecoder(
      escapeDelay: terminal.options.escapeDelay, isUTF8: terminal.measure is LocaleCellMeasure)
    terminal.isInterrupted(by: signals.descriptor)
  }

  /// Runs until the program quits, the terminal is gone, or a signal ends it.
  ///
  /// - Parameter greeted: called once, after the first lines.
  /// - Returns: the exit code of the process, as ``EventLoop/run(painted:)`` gives it.
  func run(greeted: () -> Void = {}) -> Int32 {
    pass(.started, at: .now())
    greeted()
    while exitCode == nil { wait() }
    return exitCode ?? 0
  }

  private func wait() {
    var descriptors = [terminal.options.input, signals.descriptor, inbox.descriptor]
      .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let found = poll(&descriptors, nfds_t(descriptors.count), timeout)
    let moment = EventTime.now()
    let hasSignals = found > 0 && descriptors[1].revents != 0
    if hasSignals { takeSignals(at: moment) }
    // A signal may have thrown the input away, and reading would block then.
    let input = hasSignals ? terminal.options.inputNow : found > 0 ? descriptors[0].revents : 0
    if input != 0 { takeInput(input, at: moment) }
    passInput(decoder.expire(now: moment.milliseconds), at: moment)
    if found > 0, descriptors[2].revents != 0 {
      for message in inbox.take() { pass(.message(message), at: moment) }
    }
    if let deadline = program.nextDeadline, deadline <= moment.milliseconds { pass(.tick, at: moment) }
  }

  /// Milliseconds to the next deadline; -1 for none.
  private var timeout: Int32 {
    guard let deadline = [program.nextDeadline, decoder.deadline].compactMap(\.self).min() else { return -1 }
    return Int32(clamping: max(0, deadline - EventTime.now().milliseconds))
  }

  private func takeInput(_ found: Int16, at moment: EventTime) {
    guard exitCode == nil else { return }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(terminal.options.input, &bytes, bytes.count)
    if count > 0 { return passInput(decoder.feed(bytes[..<count], now: moment.milliseconds), at: moment) }
    if count < 0, errno == EINTR || errno == EAGAIN, found & Int16(POLLHUP | POLLERR | POLLNVAL) == 0 {
      return
    }
    // The terminal is gone.
    exitCode = 129
  }

  private func passInput(_ events: [InputEvent], at moment: EventTime) {
    if !events.isEmpty { pass(.input(events), at: moment) }
  }

  private func takeSignals(at moment: EventTime) {
    for signal in signals.take() where exitCode == nil {
      switch signal {
      case SIGWINCH: break
      case SIGINT: pass(.input([.key(.control("c"))]), at: moment)
      case SIGTSTP:
        terminal.suspend()
        pass(.resumed, at: .now())
      case SIGCONT:
        terminal.resume()
        pass(.resumed, at: moment)
      default: exitCode = 128 + signal
      }
    }
  }

  private func pass(_ event: LineEvent<Program.Message>, at moment: EventTime) {
    guard exitCode == nil else { return }
    for command in program.handle(event, at: moment) {
      switch command {
      case .write(let text): terminal.write(text)
      case .echo(let text): terminal.echo(text)
      case .erase(let cells): terminal.erase(cells: cells)
      case .drainInput: terminal.drainInput()
      case .ringBell: terminal.ringBell()
      case .quit(let code): exitCode = code
      }
    }
    // What was typed while the terminal showed nothing was not typed at what it shows now.
    guard exitCode == nil else { return }
    if terminal.takeHoldUp() { return pass(.heldUp, at: .now()) }
    program.painted(at: .now())
  }
}
