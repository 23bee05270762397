import Machine
import PermModel

/// The destination of a command's output: one stream for data, another for messages.
struct Console: Sendable {
  let data: any TextSink
  let messages: any TextSink
  /// Whether a person reads the data on a terminal.
  let isTerminal: Bool
  let colors: PrintedColors
  /// Measures how many cells the terminal needs for a text, and knows which characters it cannot show.
  let measure: any CellMeasure

  /// Standard output and standard error of this process.
  static func standard(environment: [String: String], noColor: Bool) -> Console {
    let isTerminal = StandardStream.isTerminal(StandardStream.output)
    return Console(
      data: FileSink(descriptor: StandardStream.output), messages: FileSink(descriptor: StandardStream.error),
      isTerminal: isTerminal,
      colors: isTerminal && !noColor && allowsColor(environment)
        ? PrintedColors(environment: environment) : .none,
      measure: LocaleCellMeasure())
  }

  /// Whether the environment allows colours, see no-color.org.
  static func allowsColor(_ environment: [String: String]) -> Bool {
    environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// Prints one line of data.
  func print(_ line: String) throws(OutputError) {
    try data.write(line + "\n")
  }

  /// Prints one line that may contain foreign text, made safe.
  func print(foreign line: String) throws(OutputError) {
    try print(visible(line))
  }

  func print(_ json: JSON) throws(OutputError) {
    try print(json.description)
  }

  func print(_ table: Table) throws(OutputError) {
    try data.write(table.rendered(measure: measure, colors: colors))
  }

  /// Prints a message for the person, apart from the data.
  func note(_ message: String) {
    // If messages cannot be written, there is nobody to tell about it.
    try? messages.write(message + "\n")
  }

  /// Returns foreign text made safe to be part of a line.
  func visible(_ text: some StringProtocol) -> String {
    VisibleText.escaped(text, measure: measure)
  }

  /// Returns foreign text as a sentence quotes it.
  func quoted(_ text: some StringProtocol) -> String { "'\(visible(text))'" }
}

/// A destination for the text that a command writes.
protocol TextSink: Sendable {
  /// Writes all of `text`.
  ///
  /// - Throws: ``OutputError``.
  func write(_ text: String) throws(OutputError)
}

/// The reason why text could not be written.
enum OutputError: Error, Hashable {
  /// The reader has gone away, as `head` does.
  case readerGone
  /// The system refused, with this `errno`: the disk is full, or the terminal is gone.
  case failed(Int32)
}

/// An open file to which text is written unbuffered.
struct FileSink: TextSink {
  let descriptor: Int32

  func write(_ text: String) throws(OutputError) {
    var text = text
    let code = text.withUTF8 { WholeWrite.write(UnsafeRawBufferPointer($0), to: descriptor) }
    switch code {
    case 0: return
    case SystemError.readerGone: throw .readerGone
    default: throw .failed(code)
    }
  }
}
