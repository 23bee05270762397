/// One alert on a device that is written to and read line by line, from its first line to its response.
struct LineDialogue {
  private let device: any LineDevice
  private var alert: PlainAlert
  private(set) var prompt: PromptGuard<String>
  /// What is written once a line counts.
  private var invitation: String
  /// Whether a line came before that.
  private var hasTypedAhead = false

  init(_ alert: Alert, on device: any LineDevice, _ prompt: PromptGuard<String>) {
    self.device = device
    self.alert = PlainAlert(alert, isInDashboard: false)
    self.prompt = prompt
    invitation = self.alert.howToAnswer
  }

  mutating func run() async -> AlertResponse {
    begin()
    while true {
      switch await device.next(until: prompt.deadline) {
      case .line(let line): take(line)
      case .part: interrupt()
      case .continued: prompt.restart(at: device.now)
      case .timeUp: if let response = advance() { return response }
      case .ended: return end(.dismissed)
      case .cancelled:
        device.write(["This is over: it was answered elsewhere, or the program no longer asks."])
        return end(.dismissed)
      }
      prompt.paint(at: device.now)
    }
  }

  private mutating func begin() {
    if case .notice = alert.alert.content { prompt.open(.notice) } else { prompt.open(.question) }
    device.drainInput()
    device.write(alert.lines.dropLast())
    // A terminal may have kept all that waiting: what was typed meanwhile was not typed at it.
    device.drainInput()
    prompt.paint(at: device.now)
  }

  private mutating func end(_ response: AlertResponse, isAnswered: Bool = false) -> AlertResponse {
    prompt.close(isAnswered: isAnswered)
    return response
  }
}

// MARK: - What happens

extension LineDialogue {
  private mutating func take(_ line: String) {
    let wasPending = prompt.pressed != nil
    let outcome = prompt.enter(line, at: device.now)
    if outcome == .isIgnored { wasPending ? refuseTogether() : (hasTypedAhead = true) }
    if outcome == .restarts { device.write(["Awake again."]) }
  }

  /// What came behind a line means that it was not typed alone.
  private mutating func interrupt() {
    let wasPending = prompt.pressed != nil
    _ = prompt.type(at: device.now)
    if wasPending { refuseTogether() }
  }

  private mutating func refuseTogether() {
    device.write(["Not counted: more came right behind that line."])
    invitation = Self.again
  }

  private static let again = "Type the answer again."

  private mutating func advance() -> AlertResponse? {
    let (wasArmed, wasAsleep) = (prompt.isArmed, prompt.isAsleep)
    if let line = prompt.advance(to: device.now) { return reply(to: line) }
    if prompt.isArmed, !wasArmed { invite() }
    if prompt.isAsleep, !wasAsleep {
      device.write(["Asleep, since nothing was typed for a while. The next line only wakes it."])
      invitation = Self.again
    }
    return nil
  }

  /// Says that a line counts from now on.
  private mutating func invite() {
    device.drainInput()
    let start = device.now
    device.write(
      hasTypedAhead ? ["Not counted: what was typed before this line.", invitation] : [invitation])
    hasTypedAhead = false
    // A terminal that kept this waiting may have been typed at.
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
