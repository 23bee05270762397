import CNcurses
import Glibc
import Machine
import PermModel

/// A terminal that is used line by line. It never receives a byte that moves the cursor back beyond the text
/// being typed, so that screen readers, Braille displays and printers can follow the output.
final class LineTerminal: LoopTerminal {
  let options: TerminalOptions
  let measure: any CellMeasure
  let sendsEveryKey = false
  /// The terminal's previous settings for lines, echo and signals.
  private var shellMode = termios()
  private var isOpen = true
  private var isAtLineStart = true
  /// The writer to the terminal; `nil` if the output is something else, such as a file.
  private let output: TerminalOutput?

  /// Takes the terminal, and discards everything that was typed before.
  ///
  /// - Throws: ``TerminalError`` if the input is not a terminal, because the content of a file is not typed
  ///   by a person.
  init(_ options: TerminalOptions) throws(TerminalError) {
    try Self.check(options)
    self.options = options
    measure = options.makeMeasure()
    output = isatty(options.output) == 1 ? TerminalOutput(options.output) : nil
    tcgetattr(options.input, &shellMode)
    CrashGuard.arm(output: options.input, bytes: [], shellMode: shellMode, messages: nil)
    takeMode()
  }

  /// Checks that the input is a terminal, on which a person can type. The output can be anything.
  static func check(_ options: TerminalOptions) throws(TerminalError) {
    guard isatty(options.input) == 1 else { throw .notATerminal("input") }
  }

  /// Restores the terminal's settings, with the cursor at the start of a line.
  func close() {
    guard isOpen else { return }
    isOpen = false
    giveBackMode()
    CrashGuard.disarm()
  }

  /// Sets a mode in which every key arrives as soon as it is pressed, because the loop must know whether a
  /// line is being typed. ^C and ^Z still send signals.
  private func takeMode() {
    var mode = shellMode
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    mode.c_iflag |= tcflag_t(ICRNL)
    withUnsafeMutableBytes(of: &mode.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    // `TCSADRAIN` and `TCSAFLUSH` would also wait for pending output, so a stopped terminal would block the process.
    tcsetattr(options.input, TCSANOW, &mode)
    drainInput()
  }

  private func giveBackMode() {
    let end = isAtLineStart ? [] : Array("\n".utf8)
    if let output { output.end(end, patience: 10) } else { WholeWrite.write(end, to: options.output) }
    isAtLineStart = true
    tcsetattr(options.input, TCSANOW, &shellMode)
  }

  /// Whether to echo typed characters. If the terminal's echo was off before, another program, such as Emacs,
  /// echoes them.
  private var echoes: Bool { shellMode.c_lflag & tcflag_t(ECHO) != 0 }
}

// MARK: - Writing

extension LineTerminal {
  func paint(_ picture: [LineOutput]) -> Bool {
    for part in picture { put(part) }
    return heldUp == nil
  }

  private func put(_ part: LineOutput) {
    switch part {
    case .write(let text): send(text)
    case .echo(let text) where echoes: send(text)
    case .echo(let text): isAtLineStart = isAtLineStart || text.hasSuffix("\n")
    case .erase(let cells): if echoes { send(String(repeating: "\u{8} \u{8}", count: cells)) }
    case .drainInput: drainInput()
    }
  }

  func ringBell() {
    if options.ringsBell { write([0x07]) }
  }

  var heldUp: Int32? { output?.heldUp }

  func sendRest() { output?.sendRest() }

  var size: Size { Size(ofWindow: options.output) ?? Size(width: 0, height: 0) }

  // These functions do nothing, because lines stay as they were written, and there is no title and no pager.
  func invalidate() {}
  func resize() {}
  func setTitle(_ text: String) {}

  func copy(_ text: String) {}
  func read(_ text: String) -> String? { nil }

  func makeDecoder() -> InputDecoder {
    InputDecoder(escapeDelay: options.escapeDelay, isUTF8: measure is LocaleCellMeasure)
  }

  private func drainInput() { tcflush(options.input, TCIFLUSH) }

  private func send(_ text: String) {
    guard let last = text.last else { return }
    isAtLineStart = last == "\n"
    write(Array(shown(text).utf8))
  }

  private func write(_ bytes: [UInt8]) {
    if let output { output.send(bytes) } else { WholeWrite.write(bytes, to: options.output) }
  }

  /// Returns the text with every character that this terminal cannot show replaced or escaped.
  private func shown(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return VisibleText.isolated(text.map(measure.shown).joined())
  }
}

// MARK: - ^Z

extension LineTerminal {
  func suspend(wholeGroup: Bool) {
    giveBackMode()
    Signals.stop(wholeGroup: wholeGroup)
    resume()
  }

  func resume() {
    isAtLineStart = true
    takeMode()
  }
}

/// A part of the output of a program that works line by line.
enum LineOutput: Equatable, Sendable {
  /// Writes text without adding a newline.
  case write(String)
  /// Writes text that was typed, but only if typed characters are to be echoed.
  case echo(String)
  /// Removes this many cells of echoed text.
  case erase(cells: Int)
  /// Discards input that has not been read yet.
  case drainInput
}
