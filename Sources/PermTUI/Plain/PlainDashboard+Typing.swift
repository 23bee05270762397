import PermModel

// The lines that the person types.

extension PlainDashboard {
  mutating func take(_ burst: [InputEvent], at moment: EventTime) {
    desk.now = moment
    if burst.contains(.key(.control("c"))) { return apply([.quit(isInterrupt: true)]) }
    for event in burst { take(event) }
  }

  private mutating func take(_ event: InputEvent) {
    switch event {
    case .key(let key) where desk.form != nil: pressAtAlert(key)
    case .repeated: desk.prompt.repeat(at: desk.now.milliseconds)
    case .focused, .unfocused: restart()
    case .paste, .mouse, .noise, .stalled:
      desk.disturb()
      if desk.form != nil { dropLine() }
    case .key(let key):
      desk.prompt.note(at: desk.now.milliseconds)
      press(key)
    }
  }

  /// If a form is open, restarts the waiting period before it can be answered, and drops the typed line.
  mutating func restart() {
    guard desk.form != nil else { return }
    desk.restartWait()
    dropLine()
  }

  mutating func dropLine() {
    if hasPrompt { write("\n") }
    hasPrompt = false
    entered = nil
    line = Self.emptyLine
  }

  private mutating func press(_ key: Key) {
    switch key {
    case .enter: run(takeLine())
    case .control("d") where line.isEmpty: apply([.quit(isInterrupt: false)])
    case .character, .backspace, .control("u"), .control("w"): edit(key)
    default: break
    }
  }

  /// Handles a key while an alert waits for its answer. Once the alert can be answered, the key becomes part
  /// of the typed line.
  private mutating func pressAtAlert(_ key: Key) {
    let moment = desk.now.milliseconds
    if key == .control("d"), line.isEmpty { return apply([.quit(isInterrupt: false)]) }
    if desk.form?.isWithdrawn == true { return finishLine(key) }
    guard desk.prompt.isArmed else {
      hasTypedAhead = true
      desk.obey(desk.prompt.strike(key, at: moment))
      return
    }
    if entered != nil {
      // More input followed the entered line, so the line is not accepted as an answer.
      _ = desk.prompt.type(at: moment)
      entered = nil
      return say(["Ignored: more input followed immediately. Type the answer by hand."])
    }
    guard key == .enter else {
      _ = desk.prompt.type(at: moment)
      return press(key)
    }
    if desk.prompt.enter(key, at: moment) == .pends { entered = takeLine() }
  }

  /// Lets the person finish a line that they began before the alert was withdrawn. The line has no effect.
  private mutating func finishLine(_ key: Key) {
    desk.prompt.note(at: desk.now.milliseconds)
    if key == .enter { _ = takeLine() } else { press(key) }
  }

  mutating func tick(at moment: EventTime) {
    desk.now = moment
    let wasAsleep = desk.prompt.isAsleep
    if desk.form != nil, desk.prompt.advance(to: moment.milliseconds) != nil, let text = entered {
      entered = nil
      answer(text)
    }
    update(.tick, at: moment)
    if desk.prompt.isAsleep, !wasAsleep {
      dropLine()
      say(["Paused, since nothing was typed for a while. The next key only wakes it."])
    }
  }

  private mutating func edit(_ key: Key) {
    let before = line.text
    _ = line.press(key)
    if !hasPrompt {
      write(prompt)
      hasPrompt = true
    }
    let after = line.text
    if after.count > before.count, after.hasPrefix(before) {
      output.append(.echo(String(after.dropFirst(before.count))))
    } else if before.hasPrefix(after), before.count > after.count {
      output.append(.erase(cells: desk.typesetter.width(of: before.dropFirst(after.count))))
    }
  }

  /// Ends the line that is being typed, and returns it.
  private mutating func takeLine() -> String {
    defer { line = Self.emptyLine }
    output.append(.echo("\n"))
    hasPrompt = false
    return line.text
  }

  private mutating func run(_ text: String) {
    let answer = PlainCommand(text, listing, names).run(&self)
    // The command's own output is printed before the reports of other events.
    let reports = news
    news = []
    say(answer + reports)
  }
}
