import CNcurses
import Glibc

/// A terminal that shows a screen.
final class Terminal: LoopTerminal {
  let options: TerminalOptions
  let measure: any CellMeasure
  let sendsEveryKey = true
  /// The time to wait until the terminal accepts the last bytes, in milliseconds. It is short, because a stopped terminal
  /// must not keep the process from ending or stopping.
  private static let patience: Int32 = 10

  private let screen: CursesScreen
  private let modes: TerminalModes
  private let messages: StandardErrorCapture?
  private let output: TerminalOutput
  private var shellMode = termios()
  private var ownMode = termios()
  private var isOpen = true
  private var title: String?

  /// - Throws: ``TerminalError`` if input or output is not a terminal, or if the terminal cannot show a
  ///   screen. In both cases, nothing has been sent to the terminal.
  init(_ options: TerminalOptions) throws(TerminalError) {
    try Self.check(options)
    self.options = options
    measure = options.makeMeasure()
    tcgetattr(options.output, &shellMode)
    output = TerminalOutput(options.output)
    do {
      screen = try CursesScreen(options, output: output)
    } catch {
      tcsetattr(options.output, TCSANOW, &shellMode)
      throw error
    }
    tcgetattr(options.output, &ownMode)
    modes = TerminalModes(options)
    messages = StandardErrorCapture(terminal: options.output)
    CrashGuard.arm(
      output: options.output, bytes: modes.restoring(), shellMode: shellMode, messages: messages)
    output.send(modes.enter)
  }

  /// Checks that input and output are terminals. Only starting curses reveals whether the terminal can show a screen.
  static func check(_ options: TerminalOptions) throws(TerminalError) {
    guard isatty(options.input) == 1 else { throw .notATerminal("input") }
    guard isatty(options.output) == 1 else { throw .notATerminal("output") }
  }

  /// Restores the terminal, and prints what libraries wrote to standard error while the screen was open.
  func close() {
    guard isOpen else { return }
    isOpen = false
    output.end(modes.leave + screen.close(), patience: Self.patience)
    tcsetattr(options.output, TCSANOW, &shellMode)
    CrashGuard.disarm()
    messages?.end()
  }

  func makeDecoder() -> InputDecoder {
    var sequences = KeySequences.common
    for (name, key) in KeySequences.capabilities {
      if let sequence = CursesScreen.string(name) { sequences.add(sequence, key) }
    }
    return InputDecoder(
      sequences: sequences, escapeDelay: options.escapeDelay, isUTF8: measure is LocaleCellMeasure)
  }
}

// MARK: - Showing

extension Terminal {
  var size: Size { screen.size }

  /// Shows the grid; sends nothing if the screen already shows it.
  @discardableResult
  func paint(_ grid: Grid) -> Bool {
    let isShown = screen.paint(grid)
    return isShown && heldUp == nil
  }

  /// Makes the next paint redraw everything. The modes for reports are set again, too: most terminals then say whether
  /// the window has the focus.
  func invalidate() {
    screen.invalidate()
    output.sendAhead(modes.reports)
  }

  func resize() { screen.resize() }

  func ringBell() {
    if options.ringsBell { output.sendAhead([0x07]) }
  }

  /// Sets the window's title; closing the terminal restores the old title.
  func setTitle(_ text: String) {
    guard modes.hasTitle, text != title else { return }
    title = text
    output.sendAhead(TerminalModes.title(text))
  }

  func copy(_ text: String) {
    guard modes.understandsOSC else { return }
    output.sendAhead(TerminalModes.copy(text))
  }

  var heldUp: Int32? { output.heldUp }

  func sendRest() { output.sendRest() }
}

// MARK: - ^Z

extension Terminal {
  func suspend(wholeGroup: Bool) {
    output.end(modes.leave + screen.pause(), patience: Self.patience)
    tcsetattr(options.output, TCSANOW, &shellMode)
    Signals.stop(wholeGroup: wholeGroup)
    resume()
  }

  func read(_ text: String) -> String? {
    output.end(modes.leave + screen.pause(), patience: Self.patience)
    tcsetattr(options.output, TCSANOW, &shellMode)
    defer { resume() }
    return options.pager.show(text, on: options.output)
  }

  func resume() {
    // Unlike the modes that curses would choose, this one does not wait for pending output.
    tcsetattr(options.output, TCSANOW, &ownMode)
    // Keys that were typed during the pause were meant for the shell.
    tcflush(options.input, TCIFLUSH)
    screen.resume()
    output.send(modes.enter)
    if let title { output.send(TerminalModes.title(title)) }
  }
}
