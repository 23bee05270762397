import CNcurses
import Glibc

/// The terminal while the program has it: opened once, restored on every way out.
///
/// It belongs to one thread, the event loop's.
final class Terminal {
  let options: TerminalOptions
  /// The measure of characters on this terminal. If the locale is not UTF-8, only ASCII can be shown.
  let measure: any CellMeasure
  private let screen: CursesScreen
  private let modes: TerminalModes
  private let messages: StandardErrorCapture?
  private let output: TerminalOutput
  private var shellMode = termios()
  private var isOpen = true
  private var title: String?

  /// Takes the terminal.
  ///
  /// - Throws: ``TerminalError`` if input or output is not a terminal, or not one that can show a screen. In that case
  ///   nothing was sent.
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
    modes = TerminalModes(options)
    messages = StandardErrorCapture(terminal: options.output)
    CrashGuard.arm(
      output: options.output, bytes: modes.restoring(), shellMode: shellMode, messages: messages?.descriptors)
    send(modes.enter)
  }

  /// Checks that input and output are a terminal. Only taking it shows whether it can show a screen.
  static func check(_ options: TerminalOptions) throws(TerminalError) {
    guard isatty(options.input) == 1 else { throw .notATerminal("input") }
    guard isatty(options.output) == 1 else { throw .notATerminal("output") }
  }

  /// Opens the terminal, runs `body`, and closes the terminal whatever happens.
  static func use<Result>(
    _ options: TerminalOptions, _ body: (Terminal) throws -> Result
  ) throws -> Result {
    let terminal = try Terminal(options)
    defer { terminal.close() }
    return try body(terminal)
  }

  /// Restores the terminal, and prints what libraries wrote to standard error meanwhile.
  func close() {
    guard isOpen else { return }
    isOpen = false
    // A stopped terminal must not keep the process from ending.
    output.end(modes.leave + screen.close(), patience: 10)
    tcsetattr(options.output, TCSANOW, &shellMode)
    CrashGuard.disarm()
    messages?.end()
  }

  /// Returns a decoder for the input of this terminal.
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
  ///
  /// - Returns: Whether the terminal took it at once. If not, keys typed meanwhile were not typed in response to it.
  @discardableResult
  func paint(_ grid: Grid) -> Bool {
    screen.paint(grid)
    output.send([])
    return !output.takeHoldUp()
  }

  /// Makes the next paint redraw everything, as ^L does.
  func invalidate() { screen.invalidate() }

  /// Adopts the window's present size.
  func resize() { screen.resize() }

  func ringBell() {
    if options.ringsBell { send([0x07]) }
  }

  /// Sets the window's title; closing the terminal restores the old one.
  func setTitle(_ text: String) {
    guard modes.hasTitle, text != title else { return }
    title = text
    send(TerminalModes.title(text))
  }

  private func send(_ bytes: [UInt8]) { output.send(bytes) }

  /// Makes input on this descriptor end the wait for a stopped terminal.
  func isInterrupted(by descriptor: Int32) { output.interruption = descriptor }
}

// MARK: - ^Z

extension Terminal {
  /// Stops the process as ^Z does, and returns when it is continued.
  ///
  /// - Parameter wholeGroup: True for the key, which stops everything that the shell started together; false for a
  ///   signal that was sent to this process alone.
  func suspend(wholeGroup: Bool) {
    send(modes.leave)
    screen.pause()
    Signals.stop(wholeGroup: wholeGroup)
    resume()
  }

  /// Takes the terminal again after the process was continued, even if it was stopped by other means.
  func resume() {
    screen.resume()
    send(modes.enter)
    if let title { send(TerminalModes.title(title)) }
  }
}
