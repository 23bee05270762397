import Machine
import PermModel

/// Where a command's words go: data to one side, messages to the other.
struct Console: Sendable {
  let data: any TextSink
  let messages: any TextSink
  /// Whether a person reads the data on a terminal.
  let isTerminal: Bool
  let colors: PrintedColors
  /// What the terminal can show, and in how many cells.
  let measure: any CellMeasure

  init(
    data: any TextSink, messages: any TextSink, isTerminal: Bool, colors: PrintedColors,
    measure: any CellMeasure
  ) {
    self.data = data
    self.messages = messages
    self.isTerminal = isTerminal
    self.colors = colors
    self.measure = measure
  }

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

  /// Whether the environment leaves colours on, see no-color.org.
  static func allowsColor(_ environment: [String: String]) -> Bool {
    environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// One line of data.
  func print(_ line: String) throws(OutputError) {
    try data.write(line + "\n")
  }

  func print(_ json: JSON) throws(OutputError) {
    try print(json.description)
  }

  func print(_ table: Table) throws(OutputError) {
    try data.write(table.rendered(measure: measure, colors: colors))
  }

  /// A message for the person, beside the data.
  func note(_ message: String) {
    // Where messages cannot be written there is nobody to be told so.
    try? messages.write(message + "\n")
  }

  /// Foreign text, safe to be part of a line.
  func visible(_ text: some StringProtocol) -> String {
    VisibleText.escaped(text, measure: measure)
  }

  /// Foreign text as a sentence quotes it.
  func quoted(_ text: some StringProtocol) -> String { "'\(visible(text))'" }
}
