/// The dialogue about one alert on a line-based device, from the alert's first line to the person's response.
struct LineDialogue {
  private let device: any LineDevice
  private var alert: PlainAlert
  private(set) var prompt: PromptGuard<String>
  /// The line that asks for an answer. It is written as soon as the alert can be answered.
  private var invitation: String
  /// Whether a line arrived before the alert could be answered.
  private var hasTypedAhead = false
  private let farewell: String?

  init(
    _ alert: PlainAlert, on device: any LineDevice, _ prompt: PromptGuard<String>, farewell: String?
  ) {
    self.device = device
    self.alert = alert
    self.prompt = prompt
    self.farewell = farewell
    invitation = alert.howToAnswer
  }

  /// Shows the alert until it ends, and returns the response. Returns `nil` if the terminal now belongs to another job.
  mutating func run() async -> AlertResponse? {
    begin()
    while true {
      switch await device.next(until: prompt.deadline) {
      case .line(let line): take(line)
      case .part: interrupt()
      case .continued: prompt.restart(at: device.now)
      case .timeUp: if let response = advance() { return response }
      case .ended: return end(.dismissed)
      case .cancelled:
        if let farewell { device.write([farewell]) }
        return end(.dismissed)
      case .inBackground:
        prompt.close()
        return nil
      }
      prompt.paint(at: device.now)
    }
  }

  private mutating func begin() {
    if case .notice = alert.alert.content { prompt.open(.notice) } else { prompt.open(.question) }
    device.drainInput()
    device.write(alert.lines.dropLast())
    // Input that was typed while the terminal delayed the output was not meant for this alert, so it is discarded.
    device.drainInput()
    prompt.paint(at: device.now)
  }

  private mutating func end(_ response: AlertResponse, isAnswered: Bool = false) -> AlertResponse {
    prompt.close(isAnswered: isAnswered)
    return response
  }
}

// MARK: - Events

extension LineDialogue {
  private mutating func take(_ line: String) {
    let wasPending = prompt.pressed != nil
    let outcome = prompt.enter(line, at: device.now)
    if outcome == .isIgnored { wasPending ? refuseTogether() : (hasTypedAhead = true) }
    if outcome == .restarts { device.write(["Awake again."]) }
  }

  /// Handles input that is not a complete line. If a line is pending, refuses that line, because other input followed
  /// it too soon.
  private mutating func interrupt() {
    let wasPending = prompt.pressed != nil
    _ = prompt.type(at: device.now)
    if wasPending { refuseTogether() }
  }

  private mutating func refuseTogether() {
    device.write(["Ignored: more input followed immediately."])
    invitation = Self.again
  }

  private static let again = "Type the answer again."

  private mutating func advance() -> AlertResponse? {
    let (wasArmed, wasAsleep) = (prompt.isArmed, prompt.isAsleep)
    if let line = prompt.advance(to: device.now) { return reply(to: line) }
    if prompt.isArmed, !wasArmed { invite() }
    if prompt.isAsleep, !wasAsleep {
      device.write(["Paused, since nothing was typed for a while. The next line only wakes it."])
      invitation = Self.again
    }
    return nil
  }

  private mutating func invite() {
    device.drainInput()
    let start = device.now
    device.write(
      hasTypedAhead ? ["Ignored: anything typed before this line.", invitation] : [invitation])
    hasTypedAhead = false
    // If the terminal delayed this output, input might have been typed in the meantime, so the wait starts again.
    if device.now - start >= prompt.times.press { prompt.restart(at: device.now) }
  }

  private mutating func reply(to line: String) -> AlertResponse? {
    switch alert.take(line) {
    case .response(let response): return end(response, isAnswered: true)
    case .again:
      device.write(alert.lines.dropLast())
      invitation = alert.howToAnswer
    case .refused(let why):
      device.write([why])
      invitation = Self.again
    }
    prompt.restart(at: device.now)
    return nil
  }
}

/// A device that a ``LinePresenter`` writes lines to and reads lines from.
protocol LineDevice: Sendable {
  /// The current time in milliseconds, on a clock that never goes backwards.
  var now: Int64 { get }

  /// Discards all input that was typed before this call.
  func drainInput()

  /// Writes lines. A line that is too long is continued on further lines, as by ``LineBreaker``.
  func write(_ lines: [String])

  /// Waits for the next event, and returns it. If no event arrives before the deadline, returns ``LineInput/timeUp``.
  func next(until deadline: Int64?) async -> LineInput
}

enum LineInput: Hashable, Sendable {
  case line(String)
  /// Input has arrived, but does not complete a line yet.
  case part
  case ended, cancelled, timeUp
  /// The process was stopped and has been continued.
  case continued
  /// The terminal belongs to another job. Reading from it failed, but did not stop this process.
  case inBackground
}
