import CNcurses
import Glibc

/// The loop that runs a program on a terminal. Each round waits for keys, signals, messages and deadlines in
/// one `poll`, handles everything that has arrived, and paints once.
///
/// The loop runs on the calling thread and starts no other thread. While nothing happens, it does not wake up. A stopped
/// terminal holds up the picture and the input, but neither signals, messages nor deadlines.
final class EventLoop<Program: TerminalApp, Device: LoopTerminal>
where Device.Picture == Program.Picture {
  private var program: Program
  private let terminal: Device
  private let inbox: Inbox<Program.Message>
  private let signals: Signals
  private var decoder: InputDecoder
  private var exitCode: Int32?
  /// Whether the terminal did not accept the whole picture at once.
  private var wasHeldUp = false

  /// - Parameter signals: The signals to handle. They must be created before any other thread is started.
  init(_ program: Program, on terminal: Device, inbox: Inbox<Program.Message>, signals: Signals) {
    self.program = program
    self.terminal = terminal
    self.inbox = inbox
    self.signals = signals
    decoder = terminal.makeDecoder()
  }

  /// Runs until the program quits, the terminal is gone, or a signal ends the program.
  ///
  /// - Parameter painted: Called once, after the first picture has been painted.
  /// - Returns: The exit code of the process: 143 after SIGTERM, 131 after SIGQUIT, 129 if the terminal hung up, and
  ///   otherwise the code with which the program quit.
  func run(painted: () -> Void = {}) -> Int32 {
    begin(.started, at: .now())
    paint()
    painted()
    while exitCode == nil {
      takeIn(wait())
      if exitCode == nil { paint() }
    }
    return exitCode ?? 0
  }

  /// Paints, unless the terminal still has not accepted all of the last picture.
  private func paint() {
    terminal.sendRest()
    if terminal.heldUp == nil, wasHeldUp { pass(.heldUp, at: .now()) }
    let isShown = terminal.heldUp == nil && terminal.paint(program.render(terminal.size))
    wasHeldUp = terminal.heldUp != nil
    if isShown { program.painted(at: .now()) }
  }
}

// MARK: - Waiting

extension EventLoop {
  /// Returns the results of `poll` for input, signals and messages; all are 0 if the wait was interrupted.
  ///
  /// While the terminal has not accepted the whole picture, input waits, because it cannot be a response to that picture.
  private func wait() -> (input: Int16, signals: Int16, messages: Int16) {
    let heldUp = terminal.heldUp
    // `poll` ignores negative descriptors.
    let input = heldUp == nil ? terminal.options.input : -1
    var descriptors = [input, signals.descriptor, inbox.descriptor]
      .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    descriptors.append(pollfd(fd: heldUp ?? -1, events: Int16(POLLOUT), revents: 0))
    poll(&descriptors, nfds_t(descriptors.count), timeout)
    return (descriptors[0].revents, descriptors[1].revents, descriptors[2].revents)
  }

  /// The time until the next deadline, in milliseconds; -1 if there is no deadline.
  private var timeout: Int32 {
    guard let deadline = [program.nextDeadline, decoder.deadline].compactMap(\.self).min() else { return -1 }
    return Int32(clamping: max(0, deadline - EventTime.now().milliseconds))
  }

  private func takeIn(_ ready: (input: Int16, signals: Int16, messages: Int16)) {
    let moment = EventTime.now()
    if ready.signals != 0 { takeSignals(at: moment) }
    // Handling a signal might have discarded the input, and reading would then block. So check again.
    let input = ready.signals != 0 && terminal.heldUp == nil ? terminal.options.inputNow : ready.input
    if input != 0 { takeInput(input, at: moment) }
    passInput(decoder.expire(now: moment.milliseconds), at: moment)
    if ready.messages != 0 {
      for message in inbox.take() { pass(.message(message), at: moment) }
    }
    if let deadline = program.nextDeadline, moment.milliseconds >= deadline { pass(.tick, at: moment) }
  }
}

// MARK: - Input

extension EventLoop {
  /// The maximum number of times that a burst of input can fill the buffer before the screen is painted.
  private static var readsPerBurst: Int { 16 }

  private func takeInput(_ found: Int16, at moment: EventTime) {
    var events: [InputEvent] = []
    var result = ReadResult.full
    for _ in 0..<Self.readsPerBurst where result == .full { result = readInput(into: &events, at: moment) }
    passInput(events, at: moment)
    if result == .ended || found & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 {
      Signals.ignoreHangUp()
      end(exitCode: 129, at: moment)
    }
  }

  private enum ReadResult {
    case some, full, ended
  }

  private func readInput(into events: inout [InputEvent], at moment: EventTime) -> ReadResult {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
      let count = read(terminal.options.input, buffer.baseAddress, buffer.count)
      guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) ? .some : .ended }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      events += decoder.feed(bytes, now: moment.milliseconds)
      // Reads block, because a non-blocking mode would also affect the shell, which shares the terminal. So
      // check for input before reading again.
      return count == buffer.count && terminal.options.inputNow != 0 ? .full : .some
    }
  }

  /// Passes a burst of input to the program. The loop handles ^L and ^Z itself. The program only learns that there was
  /// input, and takes ^L for a sign that the person is at this window.
  private func passInput(_ events: [InputEvent], at moment: EventTime) {
    guard !events.isEmpty else { return }
    guard terminal.sendsEveryKey else { return pass(.input(events), at: moment) }
    if events.contains(.key(.control("l"))) { terminal.invalidate() }
    let stop = events.firstIndex(of: .key(.control("z")))
    // Keys typed after ^Z were meant for the shell, so they are dropped.
    let own = events[...(stop ?? events.endIndex - 1)]
    pass(.input(own.map { Self.forTheProgram($0) }), at: moment)
    if stop != nil, exitCode == nil { suspend(wholeGroup: true) }
  }

  private static func forTheProgram(_ event: InputEvent) -> InputEvent {
    switch event {
    case .key(.control("l")): .focused
    case .key(.control("z")): .noise
    default: event
    }
  }
}

// MARK: - Signals

extension EventLoop {
  private func takeSignals(at moment: EventTime) {
    for signal in signals.take() where exitCode == nil {
      switch signal {
      case SIGWINCH:
        terminal.resize()
        pass(.resized(terminal.size), at: moment)
      case SIGTSTP: suspend(wholeGroup: false)
      case SIGCONT:
        terminal.resume()
        begin(.resumed, at: moment)
      case SIGINT: pass(.input([.key(.control("c"))]), at: moment)
      default: end(exitCode: 128 + signal, at: moment)
      }
    }
  }

  private func suspend(wholeGroup: Bool) {
    terminal.suspend(wholeGroup: wholeGroup)
    begin(.resumed, at: .now())
  }

  /// Lends the terminal to the pager. Keys and signals of the terminal were meant for the pager meanwhile.
  private func lend(toRead text: String) {
    let problem = terminal.read(text)
    for signal in signals.take() where ![SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH].contains(signal) {
      end(exitCode: 128 + signal, at: .now())
    }
    terminal.resize()
    begin(.resumed, at: .now())
    pass(.hasRead(problem: problem), at: .now())
  }

  /// Tells the program that it has the terminal, and how large the terminal is.
  private func begin(_ event: TerminalEvent<Program.Message>, at moment: EventTime) {
    pass(event, at: moment)
    pass(.resized(terminal.size), at: moment)
  }

  private func end(exitCode code: Int32, at moment: EventTime) {
    guard exitCode == nil else { return }
    pass(.inputEnded, at: moment)
    exitCode = code
  }

  private func pass(_ event: TerminalEvent<Program.Message>, at moment: EventTime) {
    guard exitCode == nil else { return }
    for command in program.handle(event, at: moment) {
      switch command {
      case .ringBell: terminal.ringBell()
      case .setTitle(let title): terminal.setTitle(title)
      case .copy(let text): terminal.copy(text)
      case .read(let text): lend(toRead: text)
      case .quit(let code): exitCode = code
      }
    }
  }
}
