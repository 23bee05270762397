import PermModel

/// The line-by-line dashboard: it reports its state in lines of text, and the person controls it by typing words.
///
/// Reports are held back while the person is typing a line. While an alert is being read, only news about that alert is
/// printed, for example its withdrawal. A new alert appears automatically when the line is empty and no key has been
/// pressed for half a second. The prompt `Answer:` appears once a typed line can answer the alert. Anything typed
/// before the prompt has no effect.
struct PlainDashboard: TerminalApp {
  var desk: Desk
  /// The resolver of the names that the person types for programs and capabilities.
  let names: PlainNames
  /// A closure that starts an effect outside the dashboard, and returns without waiting for the effect to finish.
  private let perform: (Effect) -> Void

  var line = Self.emptyLine
  /// The line that was entered as an answer. It takes effect unless more input follows immediately.
  var entered: String?
  /// Whether the person typed something before the alert could be answered.
  var hasTypedAhead = false
  /// The alert or question on the screen, for as long as it can be answered.
  var shown: PlainAlert?
  /// The lines to print as soon as the person is neither typing a line nor reading an alert.
  var news: [String] = []
  var hasPrompt = false
  /// The report, printed last, of changes that can be undone or redone together.
  var together: Report?
  /// Whether a command was entered whose result is printed before the next prompt.
  var awaitsResult = false
  /// Whether the requests of the day are printed as soon as they are read.
  var awaitsDay = false
  var output: [LineOutput] = []
  private var commands: [TerminalCommand] = []

  init(_ desk: Desk, names: PlainNames, perform: @escaping (Effect) -> Void) {
    self.desk = desk
    self.names = names
    self.perform = perform
  }

  static let emptyLine = TextField(limit: 2_000)

  mutating func painted(at moment: EventTime) { desk.painted(at: moment) }

  var nextDeadline: Int64? { desk.nextDeadline(room) }

  mutating func render(_ size: Size) -> [LineOutput] {
    defer { output = [] }
    let measure = desk.context.measure
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
      if desk.round == nil { say(listing.greeting) }
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
    case .resized, .hasRead, .inputEnded: break
    }
    settle()
    return commands
  }
}

// MARK: - Events

extension PlainDashboard {
  private mutating func take(_ action: Action, at moment: EventTime) {
    let before = desk.data
    let wasUnbacked = desk.form?.isUnbacked
    switch action {
    case .found, .took, .tookAll, .reported, .changedDesktop: awaitsResult = false
    default: break
    }
    update(action, at: moment)
    switch action {
    case .noticed(let changes): news += listing.news(changes)
    case .changed(let data):
      sayDay()
      if (before.panicSince == nil) != (data.panicSince == nil) { news += listing.panicChange }
      if before.connection != data.connection, desk.round == nil { news += listing.reachChange }
      if !before.isLate, desk.round == nil { news += listing.lateness }
    case .pictured: noteBacking(wasUnbacked)
    case .announced: news += [desk.announcement].compactMap(\.self)
    case .exampleEnded(let capability, let outcome): news += listing.example(capability, outcome)
    default: break
    }
  }

  /// Tells that the broker behind the alert has gone, or that the next one asks the same.
  private mutating func noteBacking(_ wasUnbacked: Bool?) {
    guard shown != nil, let form = desk.form, !form.isWithdrawn, form.isUnbacked != wasUnbacked else {
      return
    }
    dropLine()
    say([form.isUnbacked ? Self.unbacked : "The next broker asks the same."])
  }

  mutating func update(_ action: Action, at moment: EventTime) {
    news += listing.ended(by: moment.wall)
    apply(desk.update(action, room, at: moment))
  }

  /// Carries out effects. If the desk has a report, adds it to the news.
  mutating func apply(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .bell: commands.append(.ringBell)
      case .title, .copy, .show: break
      case .find, .take, .takeAll:
        (awaitsResult, together) = (true, nil)
        perform(effect)
      case .changeDesktop:
        (awaitsResult, together) = (true, nil)
        perform(effect)
      case .decide, .forget, .respond, .answer:
        together = nil
        // A decision is said without a report, from which undo would know that it came last.
        if case .decide = effect { desk.desktopHistory = DesktopHistory() }
        perform(effect)
      case .quit(let isInterrupt): commands.append(.quit(exitCode: isInterrupt ? 130 : 0))
      default: perform(effect)
      }
    }
    if let warning = desk.warning { news.append(warning) }
    desk.warning = nil
    guard let report = desk.report else { return }
    desk.report = nil
    if !report.changes.isEmpty { together = report }
    let undo = report.isUndoable ? " The word undo takes it back." : ""
    let redo = report.isRedoable ? " The word redo makes it again." : ""
    if !report.text.isEmpty { news.append((report.isError ? "Error: " : "") + report.text + undo + redo) }
  }

  mutating func change(_ body: (inout Desk) -> [Effect]) { apply(body(&desk)) }
}
