import PermModel

/// The line-by-line dashboard: it reports its state in lines of text, and the person controls it by typing words.
///
/// Reports are held back while the person is typing a line. While an alert is being read, only news about that alert is
/// printed, for example its withdrawal. A new alert appears automatically when the line is empty and no key has been
/// pressed for half a second. The prompt `Answer:` appears once a typed line can answer the alert. Anything typed
/// before the prompt has no effect.
struct PlainDashboard: TerminalProgram {
  private(set) var desk: Desk
  /// The resolver of the names that the person types for programs and capabilities.
  let names: PlainNames
  /// A closure that starts an effect outside the dashboard, and returns without waiting for the effect to finish.
  private let perform: (Effect) -> Void

  private var line = Self.emptyLine
  /// The line that was entered as an answer. It takes effect unless more input follows immediately.
  private var entered: String?
  /// Whether the person typed something before the alert could be answered.
  private var hasTypedAhead = false
  /// The alert or question on the screen, for as long as it can be answered.
  private var shown: PlainAlert?
  /// The lines to print as soon as the person is neither typing a line nor reading an alert.
  private var news: [String] = []
  private var hasPrompt = false
  private var output: [LineOutput] = []
  private var commands: [TerminalCommand] = []

  init(_ desk: Desk, names: PlainNames, perform: @escaping (Effect) -> Void) {
    self.desk = desk
    self.names = names
    self.perform = perform
  }

  private static let emptyLine = TextField(limit: 2_000)

  mutating func painted(at moment: EventTime) { desk.painted(at: moment) }

  var nextDeadline: Int64? { desk.nextDeadline(room) }

  mutating func render(_ size: Size) -> [LineOutput] {
    defer { output = [] }
    let measure = desk.surroundings.measure
    let breaker = LineBreaker(width: size.width > 0 ? size.width : nil) {
      measure.width(of: measure.shown($0))
    }
    return output.map { part in
      guard case .write(let text) = part else { return part }
      return .write(breaker.lines(text).joined(separator: "\n"))
    }
  }

  mutating func handle(_ event: TerminalEvent<Action>, at moment: EventTime) -> [TerminalCommand] {
    commands = []
    switch event {
    case .started:
      if desk.walk == nil { say(listing.greeting) }
      apply([.read(.everything)])
    case .resumed:
      hasPrompt = false
      desk.now = moment
      restart()
      if !line.isEmpty {
        write(prompt)
        output.append(.echo(line.text))
      }
    case .input(let burst): take(burst, at: moment)
    case .message(let action): take(action, at: moment)
    case .heldUp:
      update(.heldUp, at: moment)
      if desk.form != nil { dropLine() }
    case .tick: tick(at: moment)
    case .resized, .inputEnded: break
    }
    settle()
    return commands
  }
}

// MARK: - Printing

extension PlainDashboard {
  private var listing: PlainListing { PlainListing(desk: desk) }

  /// The alerts that are allowed to come up now: none while a line is being typed, because the line has the focus.
  private var room: AlertRoom { line.isEmpty ? .all : .none }

  private var prompt: String { desk.form == nil ? "Command: " : "Answer: " }

  /// Whether to ask for a line. A walk asks for none between two requests.
  private var mayType: Bool { desk.form == nil ? desk.walk == nil : desk.prompt.isArmed && entered == nil }

  private mutating func write(_ text: String) { output.append(.write(text)) }

  /// Prints whole lines. If a prompt is already on the screen, the lines start below the prompt.
  private mutating func say(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    if hasPrompt { write("\n") }
    hasPrompt = false
    write(lines.joined(separator: "\n") + "\n")
  }

  /// Unless the person is typing a line, prints the lines that are due, and then shows the prompt.
  private mutating func settle() {
    guard line.isEmpty else { return }
    if desk.form?.isWithdrawn == true { withdraw() }
    if shown == nil {
      say(news)
      news = []
      showForm()
    }
    guard !hasPrompt, mayType, desk.form != nil || desk.arrived.isEmpty else { return }
    if hasTypedAhead, desk.form != nil { say(["Not counted: what was typed before this line."]) }
    hasTypedAhead = false
    write(prompt)
    hasPrompt = true
  }

  private mutating func withdraw() {
    let why =
      desk.form?.isUnbacked == true
      ? "its broker has gone; it will be shown again if the program still waits"
      : desk.form?.isAnsweredInAgent == true
        ? "it was answered in the agent"
        : desk.form?.otherAnswer.map { "it was \(desk.visible($0.words))" }
          ?? noLongerWaiting
    desk.form = nil
    desk.prompt.close()
    shown = nil
    entered = nil
    say(["Withdrawn: \(why). Nothing was answered."])
  }

  /// The reason for a withdrawal without an answer. The store might not show yet that the request was set aside
  /// elsewhere.
  private var noLongerWaiting: String {
    guard let left = desk.leftItem else { return "the program is no longer waiting" }
    return left.isSetAside
      ? "it was set aside elsewhere; the word waiting lists it"
      : "it no longer waits for this dashboard; the word waiting lists what still waits"
  }

  private mutating func showForm() {
    guard let form = desk.form, let alert = form.plainAlert else { return }
    let desk = desk
    let plain = PlainAlert(alert, isInDashboard: form.alertID != nil, moment: { desk.exact($0) })
    shown = plain
    output.append(.drainInput)
    let place = form.alertID == nil || form.isPicked ? [] : ["Alert \(form.place.0) of \(form.place.1)."]
    say((form.isOnOtherScreen ? [Form.otherScreen] : []) + place + plain.lines + listing.next)
  }
}

// MARK: - Events

extension PlainDashboard {
  private mutating func take(_ action: Action, at moment: EventTime) {
    let before = desk.data
    update(action, at: moment)
    switch action {
    case .noticed(let changes): news += listing.news(changes)
    case .changed(let data):
      if (before.panicSince == nil) != (data.panicSince == nil) { news += listing.panicChange }
      if before.connection != data.connection, desk.walk == nil { news += listing.reach }
    case .backed(let id, let isBacked):
      guard shown != nil, desk.form?.alertID == id else { break }
      dropLine()
      say([isBacked ? "The next broker asks the same." : Self.unbacked])
    case .exampleEnded(let capability, let outcome): news += listing.example(capability, outcome)
    default: break
    }
  }

  private mutating func update(_ action: Action, at moment: EventTime) {
    news += listing.ended(by: moment.wall)
    apply(desk.update(action, room, at: moment))
  }

  /// Carries out effects. If the desk has a report, adds it to the news.
  mutating func apply(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .bell: commands.append(.ringBell)
      case .title: break
      case .quit(let isInterrupt): commands.append(.quit(exitCode: isInterrupt ? 130 : 0))
      default: perform(effect)
      }
    }
    if let warning = desk.warning { news.append(warning) }
    desk.warning = nil
    guard let report = desk.report else { return }
    desk.report = nil
    let undo = report.isUndoable ? " The word undo takes it back." : ""
    let redo = report.isRedoable ? " The word redo makes it again." : ""
    if !report.text.isEmpty { news.append((report.isError ? "Error: " : "") + report.text + undo + redo) }
  }

  mutating func change(_ body: (inout Desk) -> [Effect]) { apply(body(&desk)) }
}

// MARK: - Typing

extension PlainDashboard {
  private mutating func take(_ burst: [InputEvent], at moment: EventTime) {
    desk.now = moment
    if burst.contains(.key(.control("c"))) { return apply([.quit(isInterrupt: true)]) }
    for event in burst { take(event) }
  }

  private mutating func take(_ event: InputEvent) {
    switch event {
    case .key(let key) where desk.form != nil: pressAtAlert(key)
    case .repeated: desk.prompt.repeat(at: desk.now.milliseconds)
    case .focused: restart()
    case .paste, .noise:
      desk.disturb()
      if desk.form != nil { dropLine() }
    case .key(let key):
      desk.prompt.note(at: desk.now.milliseconds)
      press(key)
    }
  }

  /// If a form is open, restarts the waiting period before it can be answered, and drops the typed line.
  private mutating func restart() {
    guard desk.form != nil else { return }
    desk.restartWait()
    dropLine()
  }

  private mutating func dropLine() {
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
      return say(["Not counted: more came right behind that line. Type the answer by hand."])
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

  private mutating func tick(at moment: EventTime) {
    desk.now = moment
    let wasAsleep = desk.prompt.isAsleep
    if desk.form != nil, desk.prompt.advance(to: moment.milliseconds) != nil, let text = entered {
      entered = nil
      answer(text)
    }
    update(.tick, at: moment)
    if desk.prompt.isAsleep, !wasAsleep {
      dropLine()
      say(["Asleep, since nothing was typed for a while. The next key only wakes it."])
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

  private static let unbacked =
    "The broker that asks this has gone: an answer counts for nothing until the next one asks the same."

  /// Ends the line that is being typed, and returns it.
  private mutating func takeLine() -> String {
    defer { line = Self.emptyLine }
    output.append(.echo("\n"))
    hasPrompt = false
    return line.text
  }

  private mutating func answer(_ text: String) {
    guard var alert = shown, let form = desk.form, !form.isWithdrawn else { return }
    guard !form.isUnbacked else { return say([Self.unbacked]) }
    let words = PlainCommand.words(text)
    if words.count == 1, let word = PlainWord(rawValue: words[0]), [.waiting, .help, .quit].contains(word) {
      return runBeside(word)
    }
    switch alert.take(text) {
    case .response(let response):
      shown = nil
      apply(desk.end(response))
      desk.prompt.close(isAnswered: true)
      return
    case .again: say(alert.lines)
    case .refused(let why): say([why])
    }
    shown = alert
    desk.restartWait()
  }

  /// Carries out a word that does not answer the alert.
  private mutating func runBeside(_ word: PlainWord) {
    desk.restartWait()
    switch word {
    case .waiting: say(listing.waiting)
    case .help: say(listing.answerHelp)
    default: apply([.quit(isInterrupt: false)])
    }
  }

  private mutating func run(_ text: String) {
    let answer = PlainCommand(text, listing, names).run(&self)
    // The command's own output is printed before the reports of other events.
    let reports = news
    news = []
    say(answer + reports)
  }
}

extension Form {
  /// The alert to show line by line: the form's alert, or the dashboard's own question turned into an alert.
  fileprivate var plainAlert: Alert? {
    guard case .question(let question) = content else { return alert }
    return Alert(id: Alert.ID("question"), content: .confirmation(question.confirmation))
  }
}
