import CNcurses
import Glibc

/// The terminal while the program has it: opened once, given back on every way out.
///
/// It belongs to one thread, the event loop's.
final class Terminal {
  let options: TerminalOptions
  /// How wide characters are here. Where the locale has no UTF-8, only ASCII can be shown.
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
  /// - Throws: ``TerminalError`` if input or output is no terminal, or none that can show a screen. Nothing was sent
  ///   then.
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

  /// Whether input and output are a terminal. Whether it can show a screen is found out by taking it.
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

  /// Gives the terminal back as it was, and prints what libraries wrote to standard error meanwhile.
  func close() {
    guard isOpen else { return }
    isOpen = false
    // A terminal that takes nothing must not keep the process from ending.
    output.end(modes.leave + screen.close(), patience: 10)
    tcsetattr(options.output, TCSANOW, &shellMode)
    CrashGuard.disarm()
    messages?.end()
  }

  /// A decoder for the input of this terminal.
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

  /// Shows the grid; nothing is sent when it is what the screen shows already.
  ///
  /// - Returns: whether the terminal took it at once. Where it did not, what was typed meanwhile was not typed at this.
  @discardableResult
  func paint(_ grid: Grid) -> Bool {
    screen.paint(grid)
    output.send([])
    return !output.takeHoldUp()
  }

  /// Makes the next paint draw everything anew, as ^L asks for.
  func invalidate() { screen.invalidate() }

  /// Takes the size that the window has now.
  func resize() { screen.resize() }

  func ringBell() {
    if options.ringsBell { send([0x07]) }
  }

  /// Sets the window's title; it is put back when the terminal is closed.
  func setTitle(_ text: String) {
    guard modes.hasTitle, text != title else { return }
    title = text
    send(TerminalModes.title(text))
  }

  private func send(_ bytes: [UInt8]) { output.send(bytes) }

  /// What ends the wait for a terminal that takes nothing: something to read from this descriptor.
  func isInterrupted(by descriptor: Int32) { output.interruption = descriptor }
}

// MARK: - ^Z

extension Terminal {
  /// Stops the process as ^Z does, and comes back when it is continued.
  ///
  /// - Parameter wholeGroup: true for the key, which stops all that the shell started together; false for a signal
  ///   that was sent to this process alone.
  func suspend(wholeGroup: Bool) {
    send(modes.leave)
    screen.pause()
    Signals.stop(wholeGroup: wholeGroup)
    resume()
  }

  /// Takes the terminal again after the process was continued, also if it was stopped without being asked.
  func resume() {
    screen.resume()
    send(modes.enter)
    if let title { send(TerminalModes.title(title)) }
  }
}
