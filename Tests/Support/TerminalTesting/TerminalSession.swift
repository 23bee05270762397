import CVTerm
import Glibc

/// A program in a terminal, driven as a person drives it: keys in, and waiting until the screen shows something.
///
/// It never sleeps. Every wait is for the program's output or its end, with a deadline that only a failure reaches.
public final class TerminalSession {
  private let terminal: PseudoTerminal
  private let emulator: TerminalEmulator
  private let child: ChildProcess
  private let patience: Duration
  /// The terminal's settings before the program changed them.
  private let initialMode: TerminalMode
  private var transcript = ByteTranscript()

  /// Starts the program in a window of this size.
  ///
  /// - Parameter patience: The time after which a wait fails.
  public init(
    _ program: TestedProgram, columns: Int = 80, rows: Int = 24, patience: Duration = .seconds(20)
  ) throws {
    terminal = try PseudoTerminal(columns: columns, rows: rows)
    emulator = try TerminalEmulator(columns: columns, rows: rows)
    initialMode = terminal.mode
    self.patience = patience
    child = try ChildProcess(program, on: terminal)
  }

  /// The started process.
  public var process: Int32 { child.identifier }
  /// The screen at the last look; waits look.
  public var picture: ScreenPicture { emulator.picture }
  public var title: String { emulator.title }
  public var bells: Int { emulator.bells }
  /// The number of escape sequences that the program has sent so far.
  public var escapeCount: Int { transcript.escapes }
  public var showsAlternateScreen: Bool { emulator.showsAlternateScreen }

  /// Whether the terminal is as the program found it: the shell's screen, mode and cursor, and pastes unmarked.
  public var isRestored: Bool { leftovers.isEmpty }

  /// The differences between the terminal and its state when the program found it.
  public var leftovers: [String] {
    var found: [String] = []
    if emulator.showsAlternateScreen { found.append("the alternate screen") }
    if emulator.marksPastes { found.append("marked pastes") }
    if terminal.mode != initialMode { found.append("the mode \(terminal.mode), which was \(initialMode)") }
    if emulator.picture.cursor?.isVisible != true { found.append("a hidden cursor") }
    return found
  }
}

// MARK: - The person's actions

extension TerminalSession {
  /// Types characters, all at once.
  public func type(_ text: String) { terminal.send(Array(text.utf8)) }

  public func press(_ keys: TerminalEmulator.SpecialKey...) {
    for key in keys { terminal.send(emulator.bytes(for: key)) }
  }

  /// Presses a letter with Control.
  public func pressControl(_ letter: Character) {
    if let byte = letter.asciiValue { terminal.send([byte & 0x1f]) }
  }

  public func paste(_ text: String) { terminal.send(emulator.bytes(pasting: text)) }

  public func resize(columns: Int, rows: Int) {
    emulator.resize(columns: columns, rows: rows)
    terminal.resize(columns: columns, rows: rows)
  }

  /// Closes the window.
  public func hangUp() { terminal.hangUp() }

  /// Makes the terminal stop taking output, as ^S does.
  public func stopOutput() throws {
    let end = try terminal.openProgramEnd()
    tcflow(end, TCOOFF)
    close(end)
  }

  public func signal(_ signal: Int32) { kill(child.identifier, signal) }

  /// Stops the process with SIGSTOP, and returns when it has stopped.
  public func stop() {
    signal(SIGSTOP)
    child.waitForStop()
  }

  /// Writes on the screen from outside the program, as other programs in the same terminal do.
  public func scribble(_ text: String) throws {
    let end = try terminal.openProgramEnd()
    defer { close(end) }
    guard write(end, text, text.utf8.count) == text.utf8.count else {
      throw SystemError("write on \(terminal.path)")
    }
  }
}

// MARK: - Waiting

extension TerminalSession {
  /// Waits until a row shows `text`.
  public func expect(_ text: String) throws {
    try expect("'\(text)' on the screen") { $0.contains(text) }
  }

  /// Waits until no row shows `text`.
  public func expectGone(_ text: String) throws {
    try expect("'\(text)' gone from the screen") { !$0.contains(text) }
  }

  /// Waits until the screen satisfies `isMet`.
  ///
  /// - Throws: ``UnmetExpectation`` with the screen and the last bytes if the deadline passes or the program ends.
  public func expect(_ what: String, _ isMet: (ScreenPicture) -> Bool) throws {
    try wait(for: what) { isMet(self.emulator.picture) }
  }

  /// Waits until a condition holds that is not about the screen but, for example, the title.
  public func wait(for what: String, _ isMet: () -> Bool) throws {
    let deadline = ContinuousClock.now + patience
    while !isMet() {
      switch takeIn(until: deadline) {
      case .bytes: continue
      case .ended:
        if isMet() { return }
        throw failure("the program ended, but expected was \(what)")
      case .timedOut: throw failure("after \(patience) there is still not \(what)")
      }
    }
  }

  /// Waits until the program has ended, and reads all of its output.
  @discardableResult
  public func waitForEnd() throws -> ProcessEnding {
    let deadline = ContinuousClock.now + patience
    while true {
      switch takeIn(until: deadline) {
      case .bytes: continue
      case .ended:
        takeTheRest()
        return child.reap()
      case .timedOut: throw failure("after \(patience) the program has not ended")
      }
    }
  }

  /// Waits until the program has ended, and leaves its remaining output unread.
  public func waitForEndUnread() throws -> ProcessEnding {
    var descriptor = pollfd(fd: child.descriptor, events: Int16(POLLIN), revents: 0)
    let milliseconds = patience.components.seconds * 1_000
    guard poll(&descriptor, 1, Int32(clamping: milliseconds)) > 0 else {
      throw failure("after \(patience) the program has not ended")
    }
    return child.reap()
  }

  private enum Found {
    case bytes, ended, timedOut
  }

  private func takeIn(until deadline: ContinuousClock.Instant) -> Found {
    let left = ContinuousClock.now.duration(to: deadline).components
    let milliseconds = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000
    guard milliseconds > 0 else { return .timedOut }
    var descriptors = [terminal.descriptor, child.descriptor]
      .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&descriptors, 2, Int32(clamping: milliseconds)) > 0 else { return .timedOut }
    if descriptors[0].revents & Int16(POLLIN) != 0, takeBytes() { return .bytes }
    return descriptors[1].revents != 0 ? .ended : waitForExit(milliseconds)
  }

  /// Reads the output that the program sent before it ended. The kernel may still be delivering it; the hang-up comes
  /// after it, unless another process has the terminal, too.
  private func takeTheRest() {
    var descriptor = pollfd(fd: terminal.descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&descriptor, 1, 1_000) > 0, takeBytes() {}
  }

  /// Waits for the exit of a program that has closed its terminal.
  private func waitForExit(_ milliseconds: Int64) -> Found {
    var descriptor = pollfd(fd: child.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, Int32(clamping: milliseconds)) > 0 ? .ended : .timedOut
  }

  private func takeBytes() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(terminal.descriptor, &buffer, buffer.count)
    guard count > 0 else { return false }
    let bytes = Array(buffer[..<count])
    transcript.append(bytes)
    emulator.feed(bytes)
    let replies = emulator.takeReplies()
    if !replies.isEmpty { terminal.send(replies) }
    return true
  }

  private func failure(_ what: String) -> UnmetExpectation {
    UnmetExpectation(what: what, picture: emulator.picture, tail: transcript.tail)
  }
}
