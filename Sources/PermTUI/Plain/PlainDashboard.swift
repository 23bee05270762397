import PermModel

/// The dashboard line by line: the state of the screen, told in lines and changed by typed words.
///
/// Nothing is said while a line is being typed, and nothing but its end while an alert is read. An alert comes up by itself
/// when the line is empty and no key was pressed for half a second; the word `Answer:` comes once a line counts, and what
/// was typed before it counts for nothing.
struct PlainDashboard: LineProgram {
  private(set) var state: State
  /// What the person allows and denies by name.
  let names: PlainNames
  /// Does what the dashboard wants done outside of it. Never waits.
  private let perform: (Effect) -> Void

  private var line = Self.emptyLine
  /// A line that counts unless something follows.
  private var entered: String?
  /// Whether something was typed before a line counted.
  private var hasTypedAhead = false
  /// The alert or question that was shown, as long as it may be answered.
  private var shown: PlainAlert?
  /// What is said once nothing is being typed or read.
  private var news: [String] = []
  private var hasPrompt = false
  private var output: [LineCommand] = []

  /// - Parameter state: not on any screen; its size does not matter.
  init(_ state: State, names: PlainNames, perform: @escaping (Effect) -> Void) {
    self.state = state
    self.names = names
    self.perform = perform
    // No countdown is on any screen, so none shall tick.
    self.state.screens = [.journal]
    self.state.size = Size(width: 1_000, height: 1_000)
    self.state.readsAll = true
  }

  private static var emptyLine: TextField {
    var field = TextField()
    field.limit = 2_000
    return field
  }

  mutating func painted(at moment: EventTime) { state.painted(at: moment) }

  var nextDeadline: Int64? { state.nextDeadline() }

  mutating func handle(_ event: LineEvent<Action>, at moment: EventTime) -> [LineCommand] {
    output = []
    switch event {
    case .started:
      say(listing.greeting)
      apply(state.askToRead())
    case .resumed:
      hasPrompt = false
      state.now = moment
      restart()
      if !line.isEmpty {
        write(prompt)
        output.append(.echo(line.text))
      }
    case .input(let burst): take(burst, at: moment)
    case .message(let action): take(action, at: moment)
    case .heldUp:
      update(.heldUp, at: moment)
      if state.form != nil { dropLine() }
    case .tick: tick(at: moment)
    }
    settle()
    // A line being typed has the focus: no alert comes over it.
    state.isTypingFilter = !line.isEmpty
    return output
  }
}

// MARK: - Saying

extension PlainDashboard {
  private var listing: PlainListing { PlainListing(state: state) }

  private var prompt: String { state.form == nil ? "Command: " : "Answer: " }

  /// Whether a typed line means something now.
  private var mayType: Bool { state.form == nil || state.prompt.isArmed && entered == nil }

  private mutating func write(_ text: String) { output.append(.write(text)) }

  /// Whole lines. A prompt that stands there stays, on a line of its own.
  private mutating func say(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    if hasPrompt { write("\n") }
    hasPrompt = false
    write(lines.joined(separator: "\n") + "\n")
  }

  /// Says what is due, unless that would interrupt, and asks for the next word.
  private mutating func settle() {
    guard line.isEmpty else { return }
    if state.form?.isWithdrawn == true { withdraw() }
    if shown == nil {
      say(news)
      news = []
      showForm()
    }
    guard !hasPrompt, mayType, state.form != nil || state.arrived.isEmpty else { return }
    if hasTypedAhead, state.form != nil { say(["Not counted: what was typed before this line."]) }
    hasTypedAhead = false
    write(prompt)
    hasPrompt = true
  }

  private mutating func withdraw() {
    let why =
      state.form?.isUnbacked == true
      ? "its broker has gone; it will be shown again if the program still waits"
      : "the program does not wait any more"
    state.form = nil
    shown = nil
    entered = nil
    say(["Withdrawn: \(why). Nothing was answered."])
  }

  private mutating func showForm() {
    guard let form = state.form, let alert = form.plainAlert else { return }
    let state = state
    let plain = PlainAlert(alert, isInDashboard: form.alertID != nil, moment: { state.exact($0) })
    shown = plain
    output.append(.drainInput)
    let place = form.alertID == nil ? [] : ["Alert \(form.place.0) of \(form.place.1)."]
    say(place + plain.lines + listing.next)
  }
}

// MARK: - What happens

extension PlainDashboard {
  private mutating func take(_ action: Action, at moment: EventTime) {
    let before = state.data
    update(action, at: moment)
    switch action {
    case .noticed(let changes): news += listing.news(changes)
    case .changed(let data):
      if (before.panicSince == nil) != (data.panicSince == nil) { news += listing.panicChange }
      if before.connection != data.connection { news += listing.reach }
    case .backed(_, let isBacked):
      if shown != nil { say([isBacked ? "The next broker asks the same." : Self.unbacked]) }
    case .exampleEnded(let capability, let outcome): news += listing.example(capability, outcome)
    default: break
    }
  }

  private mutating func update(_ action: Action, at moment: EventTime) {
    news += listing.ended(by: moment.wall)
    apply(state.update(action, at: moment))
  }

  /// Has done what the state wants, and takes what it says.
  mutating func apply(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .bell: output.append(.ringBell)
      case .title: break
      case .quit(let isInterrupt): output.append(.quit(exitCode: isInterrupt ? 130 : 0))
      default: perform(effect)
      }
    }
    guard let report = state.report else { return }
    state.report = nil
    let undo = report.isUndoable ? " The word undo takes it back." : ""
    news.append((report.isError ? "Error: " : "") + report.text + undo)
  }

  mutating func change(_ body: (inout State) -> [Effect]) { apply(body(&state)) }
}

// MARK: - Typing

extension PlainDashboard {
  private mutating func take(_ burst: [InputEvent], at moment: EventTime) {
    state.now = moment
    if burst.contains(.key(.control("c"))) { return apply([.quit(isInterrupt: true)]) }
    for event in burst { take(event) }
  }

  private mutating func take(_ event: InputEvent) {
    switch event {
    case .key(let key) where state.form != nil: pressAtAlert(key)
    case .repeated: state.prompt.repeat(at: state.now.milliseconds)
    case .focused: restart()
    case .paste, .noise:
      state.disturb()
      if state.form != nil { dropLine() }
    case .key(let key):
      state.prompt.note(at: state.now.milliseconds)
      press(key)
    }
  }

  /// Begins the wait again, without what was typed.
  private mutating func restart() {
    guard state.form != nil else { return }
    state.restartWait()
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

  /// Takes a key while an alert waits for its answer: part of the line, once a line counts.
  private mutating func pressAtAlert(_ key: Key) {
    let moment = state.now.milliseconds
    if key == .control("d"), line.isEmpty { return apply([.quit(isInterrupt: false)]) }
    if state.form?.isWithdrawn == true { return finishLine(key) }
    guard state.prompt.isArmed else {
      hasTypedAhead = true
      state.obey(state.prompt.strike(key, at: moment))
      return
    }
    if entered != nil {
      _ = state.prompt.type(at: moment)
      return refuseEntered()
    }
    guard key == .enter else {
      _ = state.prompt.type(at: moment)
      return press(key)
    }
    if state.prompt.enter(key, at: moment) == .pends { entered = takeLine() }
  }

  /// Lets a line be ended that was begun before the alert was withdrawn. It answers nothing.
  private mutating func finishLine(_ key: Key) {
    state.prompt.note(at: state.now.milliseconds)
    if key == .enter { _ = takeLine() } else { press(key) }
  }

  /// What came behind a line means that it was not typed alone.
  private mutating func refuseEntered() {
    entered = nil
    say(["Not counted: more came right behind that line. Type the answer by hand."])
  }

  private mutating func tick(at moment: EventTime) {
    state.now = moment
    let wasAsleep = state.prompt.isAsleep
    if state.form != nil, state.prompt.advance(to: moment.milliseconds) != nil, let text = entered {
      entered = nil
      answer(text)
    }
    update(.tick, at: moment)
    if state.prompt.isAsleep, !wasAsleep {
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
      output.append(.erase(cells: state.typesetter.width(of: before.dropFirst(after.count))))
    }
  }

  private static let unbacked =
    "The broker that asks this has gone: an answer counts for nothing until the next one asks the same."

  /// Ends the line being typed.
  private mutating func takeLine() -> String {
    defer { line = Self.emptyLine }
    output.append(.echo("\n"))
    hasPrompt = false
    return line.text
  }

  private mutating func answer(_ text: String) {
    guard var alert = shown, let form = state.form, !form.isWithdrawn else { return }
    guard !form.isUnbacked else { return say([Self.unbacked]) }
    let words = PlainCommand.words(text)
    if words.count == 1, let word = PlainWord(rawValue: words[0]), [.waiting, .help, .quit].contains(word) {
      return runBeside(word)
    }
    switch alert.take(text) {
    case .response(let response):
      shown = nil
      change { $0.end(with: response) }
      return
    case .again: say(alert.lines)
    case .refused(let why): say([why])
    }
    shown = alert
    state.restartWait()
  }

  /// Words that answer nothing.
  private mutating func runBeside(_ word: PlainWord) {
    state.restartWait()
    switch word {
    case .waiting: say(listing.waiting)
    case .help: say(listing.answerHelp)
    default: apply([.quit(isInterrupt: false)])
    }
  }

  private mutating func run(_ text: String) {
    let answer = PlainCommand(text, listing, names).run(&self)
    // What the command did is said before what happened meanwhile.
    let reports = news
    news = []
    say(answer + reports)
  }
}

extension Form {
  /// What it asks, as an alert that can go line by line.
  fileprivate var plainAlert: Alert? {
    switch content {
    case .alert(let alert): alert
    case .question(let question):
      Alert(id: Alert.ID("question"), content: .confirmation(question.confirmation))
    case .change: nil
    }
  }
}
