import Machine
import PermModel

/// The destination of a command's output: one stream for data, another for messages.
struct Console: Sendable {
  let data: any TextSink
  let messages: any TextSink
  /// Whether the data goes to a terminal, where a person reads it.
  let isTerminal: Bool
  let colors: PrintedColors
  /// The measure that tells how many terminal cells a string occupies, and which characters the terminal cannot show.
  let measure: any CellMeasure
  /// The width of the terminal to which the data goes; `nil` if it goes elsewhere.
  var width: Int?
  /// The width of the terminal to which the messages go; `nil` if they go elsewhere.
  var messageWidth: Int?

  /// Returns the console that writes to standard output and standard error of this process.
  static func standard(environment: [String: String], noColor: Bool) -> Console {
    let isTerminal = StandardStream.isTerminal(StandardStream.output)
    return Console(
      data: FileSink(descriptor: StandardStream.output), messages: FileSink(descriptor: StandardStream.error),
      isTerminal: isTerminal,
      colors: isTerminal && !noColor && allowsColor(environment)
        ? PrintedColors(environment: environment) : .none,
      measure: LocaleCellMeasure(), width: width(of: StandardStream.output),
      messageWidth: width(of: StandardStream.error))
  }

  /// Returns the width of a terminal; `nil` if the stream is something else.
  private static func width(of stream: Int32) -> Int? {
    StandardStream.isTerminal(stream) ? Size(ofWindow: stream)?.width : nil
  }

  /// Whether the environment variables allow colours; see no-color.org.
  static func allowsColor(_ environment: [String: String]) -> Bool {
    environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// Prints one line of data.
  func print(_ line: String) throws(OutputError) {
    try data.write(ordered(line) + "\n")
  }

  /// Prints one line that might contain untrusted text from another program, after escaping it.
  func print(foreign line: String) throws(OutputError) {
    try print(visible(line))
  }

  func print(_ json: JSON) throws(OutputError) {
    try data.write(json.description + "\n")
  }

  func print(_ table: Table) throws(OutputError) {
    try data.write(ordered(table.rendered(measure: measure, colors: colors, width: width)))
  }

  /// Returns text with its right-to-left parts isolated, if it goes to a terminal. Other programs get it as it is.
  private func ordered(_ text: String) -> String { isTerminal ? VisibleText.isolated(text) : text }

  /// Prints a line. On a terminal that is too narrow for it, breaks it after blanks and indents what follows.
  func print(wrapping line: String, indent: Int) throws(OutputError) {
    try print(broken(line, to: width, indent: indent))
  }

  /// Returns a line that is broken after blanks if it is too long, with an indent before what follows.
  func broken(_ line: String, to width: Int?, indent: Int = 0) -> String {
    guard let width, width > 2 * indent, measure.width(of: line) > width else { return line }
    let parts = Typesetter(measure: measure).wrap(line, to: width - indent)
    let blanks = String(repeating: " ", count: indent)
    return parts.map(\.withoutTrailingBlanks).joined(separator: "\n" + blanks)
  }

  /// Prints a message for the person. Messages go to a different stream than the data.
  func note(_ message: String) {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    // A failure to write a message is ignored, because it could not be reported either.
    let text = lines.map { broken(String($0), to: messageWidth) + "\n" }.joined()
    try? messages.write(messageWidth == nil ? text : VisibleText.isolated(text))
  }

  /// Prints a message for each mistake in the configuration.
  func note(_ problems: [ConfigurationProblem]) {
    for problem in problems { note(visible("\(problem)")) }
  }

  /// Prints a message that a panic is on; nothing if there is none.
  func note(_ suspension: Suspension?) {
    guard let suspension else { return }
    note("A panic has been on since \(suspension.since.local): all allows are suspended.")
  }

  /// Returns untrusted text, escaped so that it is safe to print within a line.
  func visible(_ text: some StringProtocol) -> String {
    VisibleText.escaped(text, measure: measure)
  }

  /// Returns the text form of a scope or of a reference, safe to print within a line. Its backslashes begin escapes, so
  /// they are not escaped again.
  func visible(written text: some StringProtocol) -> String {
    VisibleText.escaped(written: text, measure: measure)
  }

  /// Returns the beginning of untrusted text, escaped and in quotation marks, for use in a message.
  func quoted(_ text: some StringProtocol) -> String { "'\(visible(VisibleText.brief(text)))'" }
}

extension String {
  fileprivate var withoutTrailingBlanks: Substring {
    self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)]
  }
}

/// A destination for the text that a command writes.
protocol TextSink: Sendable {
  /// Writes all of `text`.
  ///
  /// - Throws: ``OutputError``.
  func write(_ text: String) throws(OutputError)
}

/// The reason why output could not be written.
enum OutputError: Error, Hashable {
  /// The reader has gone away, as `head` does when it has read enough.
  case readerGone
  /// The system reported this `errno`, for example because the disk is full or the terminal is gone.
  case failed(Int32)
}

/// An open file. Text is written to it without buffering.
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
