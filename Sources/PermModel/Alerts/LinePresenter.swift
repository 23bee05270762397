import Glibc
import Operations

/// Shows alerts on a plain terminal, line by line; a typed word answers.
///
/// What was typed before an alert appeared is thrown away. The end of input allows nothing.
public final class LinePresenter: AlertPresenter {
  private let terminal: LineTerminal?
  /// What is said when an alert is taken off; `nil` if nothing is.
  private let farewell: String?
  /// The answer that is only to be confirmed.
  private let preset: Answer?
  private let showing = Lock<Alert.ID?>(nil)

  /// Asks on this process's own terminal, `/dev/tty`, whatever standard input and output are.
  public convenience init() { self.init(terminal: LineTerminal(path: "/dev/tty")) }

  /// Asks on two descriptors that stay open as long as the presenter lives.
  public convenience init(input: Int32, output: Int32) {
    self.init(terminal: LineTerminal(input: input, output: output))
  }

  /// Asks on two descriptors, and says nothing when an alert is taken off: the caller knows why, and says it.
  package convenience init(takenOffSilently input: Int32, output: Int32) {
    self.init(terminal: LineTerminal(input: input, output: output), farewell: nil)
  }

  /// Asks on two descriptors to confirm an answer that was given before the request was read.
  package convenience init(input: Int32, output: Int32, confirming preset: Answer) {
    self.init(terminal: LineTerminal(input: input, output: output), confirming: preset)
  }

  private init(
    terminal: LineTerminal?, confirming preset: Answer? = nil,
    farewell: String? = "This is over: it was answered elsewhere, or the program no longer asks."
  ) {
    self.terminal = terminal
    self.preset = preset
    self.farewell = farewell
  }

  public func present(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse {
    guard let terminal else { throw .nobodyThere }
    let other: Alert.ID? = showing.withLock { showing in
      defer { if showing == nil { showing = alert.id } }
      return showing
    }
    if let other { throw .busy(showing: other) }
    defer { showing.withLock { $0 = nil } }
    return try await ask(alert, on: terminal)
  }

  private func ask(
    _ alert: Alert, on terminal: LineTerminal
  ) async throws(AlertPresenterError) -> AlertResponse {
    var plain = PlainAlert(alert, isInDashboard: false, confirming: preset)
    terminal.drainInput()
    terminal.write(plain.lines.dropLast())
    // A terminal may have kept all that waiting: what was typed meanwhile was not typed at it.
    terminal.drainInput()
    terminal.write(plain.lines.suffix(1))
    while true {
      switch await terminal.readLine() {
      case .line(let line):
        switch plain.take(line) {
        case .response(let response): return response
        case .again: terminal.write(plain.lines)
        case .refused(let why): terminal.write([why])
        }
      case .cancelled:
        if let farewell { terminal.write([farewell]) }
        return .dismissed
      case .ended: return .dismissed
      case .inBackground: throw .nobodyThere
      }
    }
  }

  /// Returns at once: nothing can be set aside here, where there is no list to take it up from.
  public func waitUntilReopened(_ id: Alert.ID) async throws { try Task.checkCancellation() }
}

extension ModalSlot {
  /// The slot on this process's own terminal, for programs that have no better presenter.
  public static let `default` = ModalSlot(presenter: LinePresenter())
}
