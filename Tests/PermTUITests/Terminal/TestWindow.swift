import Glibc
import Machine
import TerminalTesting

@testable import PermTUI

/// A window in this process: the real terminal code paints into one end of a pseudo-terminal, and an emulator shows the
/// output at the other.
final class TestWindow {
  let terminal: PseudoTerminal
  private let emulator: TerminalEmulator
  private let programEnd: Int32
  private var marks = 0

  init(columns: Int = 80, rows: Int = 24) throws {
    terminal = try PseudoTerminal(columns: columns, rows: rows)
    emulator = try TerminalEmulator(columns: columns, rows: rows)
    programEnd = try terminal.openProgramEnd()
  }

  deinit { close(programEnd) }

  /// Options for a terminal in this window.
  func options(type: String? = "xterm-256color", _ change: (inout TerminalOptions) -> Void = { _ in })
    -> TerminalOptions
  {
    var options = TerminalOptions(environment: [:])
    options.type = type
    options.locale = "C.UTF-8"
    options.input = programEnd
    options.output = programEnd
    change(&options)
    return options
  }

  var title: String { emulator.title }
  var bells: Int { emulator.bells }
  var marksPastes: Bool { emulator.marksPastes }
  var showsAlternateScreen: Bool { emulator.showsAlternateScreen }

  func resize(columns: Int, rows: Int) {
    terminal.resize(columns: columns, rows: rows)
    emulator.resize(columns: columns, rows: rows)
  }

  /// Lets the emulator read all output sent until now.
  ///
  /// - Returns: The output.
  @discardableResult
  func takeOutput() throws -> [UInt8] {
    marks += 1
    // No program sends this string; once it arrives, all earlier output has arrived.
    let mark = Array("\u{1b}_mark \(marks)\u{1b}\\".utf8)
    var output = try outputUntilThereIsRoom()
    WholeWrite.write(mark, to: programEnd)
    while !output.ends(with: mark) {
      var descriptor = pollfd(fd: terminal.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 10_000) > 0 else { throw LostOutput(output: output) }
      output += readSome()
    }
    output.removeLast(mark.count)
    emulator.feed(output)
    return output
  }

  /// Reads until the terminal takes more. Where it is full, a write would wait for a reader, and this thread is the reader.
  private func outputUntilThereIsRoom() throws -> [UInt8] {
    var output: [UInt8] = []
    var ends = [
      pollfd(fd: terminal.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: programEnd, events: Int16(POLLOUT), revents: 0),
    ]
    while true {
      guard poll(&ends, 2, 10_000) > 0 else { throw LostOutput(output: output) }
      // All that has arrived is read first, so that there is room for the whole mark.
      if ends[0].revents != 0 { output += readSome() } else { return output }
    }
  }

  /// Lets the emulator read the output that has arrived, so that the terminal accepts more.
  func makeRoom() {
    var descriptor = pollfd(fd: terminal.descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&descriptor, 1, 0) > 0 { emulator.feed(readSome()) }
  }

  private func readSome() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    return Array(buffer[..<max(0, read(terminal.descriptor, &buffer, buffer.count))])
  }

  /// Returns the visible screen after all output was read.
  func picture() throws -> ScreenPicture {
    try takeOutput()
    return emulator.picture
  }

  struct LostOutput: Error {
    let output: [UInt8]
  }
}

extension Array where Element: Equatable {
  fileprivate func ends(with other: [Element]) -> Bool {
    count >= other.count && self[(count - other.count)...].elementsEqual(other)
  }
}

extension Grid {
  /// Makes a grid with a line of text in each row, for tests.
  init(_ lines: [String], width: Int = 80, height: Int = 24, measure: any CellMeasure = LocaleCellMeasure()) {
    self.init(size: Size(width: width, height: height), measure: measure)
    for (row, line) in lines.enumerated() { put(line, at: Position(row: row, column: 0)) }
  }
}
