import PermModel

extension PlainDashboard {
  var listing: PlainListing { PlainListing(desk: desk) }

  /// The alerts that are allowed to come up now: none while a line is being typed, because the line has the focus.
  var room: AlertPolicy { line.isEmpty ? .all : .none }

  var prompt: String { desk.form == nil ? "Command: " : "Answer: " }

  /// Whether to ask for a line. A round asks for none between two requests.
  private var mayType: Bool {
    desk.form == nil ? desk.round == nil && !awaitsResult : desk.prompt.isArmed && entered == nil
  }

  mutating func write(_ text: String) { output.append(.write(text)) }

  /// Prints whole lines. If a prompt is already on the screen, the lines start below the prompt.
  mutating func say(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    if hasPrompt { write("\n") }
    hasPrompt = false
    write(lines.joined(separator: "\n") + "\n")
  }

  /// Unless the person is typing a line, prints the lines that are due, and then shows the prompt.
  mutating func settle() {
    guard line.isEmpty else { return }
    if desk.form?.isWithdrawn == true { withdraw() }
    if shown == nil {
      say(news)
      news = []
      showForm()
    }
    guard !hasPrompt, mayType, desk.form != nil || desk.arrived.isEmpty else { return }
    if hasTypedAhead, desk.form != nil { say(["Ignored: anything typed before this line."]) }
    hasTypedAhead = false
    write(prompt)
    hasPrompt = true
  }

  private mutating func withdraw() {
    let why = desk.loss?.words(list: "the word waiting", desk.visible) ?? ""
    let gone = desk.loss == .brokerGone ? "its broker has gone, and " : ""
    desk.form = nil
    desk.prompt.close()
    shown = nil
    entered = nil
    say(["Withdrawn: \(gone)it \(why). Nothing was answered."])
  }

  private mutating func showForm() {
    guard let form = desk.form, let alert = form.plainAlert else { return }
    let desk = desk
    let plain = PlainAlert(
      alert, isInDashboard: form.alertID != nil, place: desk.place(of: alert), moment: { desk.exact($0) })
    shown = plain
    output.append(.drainInput)
    let isInLine = form.alertID != nil && !form.isPicked && form.notice == nil
    let place = !isInLine ? [] : ["Alert 1 of \(form.lineLength ?? 1)."]
    say((form.isOnOtherScreen ? [Form.otherScreen] : []) + place + plain.lines + listing.next)
  }
}

extension Form {
  /// The alert to show line by line: the form's alert, or the dashboard's own question turned into an alert.
  fileprivate var plainAlert: Alert? {
    guard case .question(let question) = content else { return alert }
    return Alert(id: Alert.ID("question"), content: .confirmation(question.confirmation))
  }
}
