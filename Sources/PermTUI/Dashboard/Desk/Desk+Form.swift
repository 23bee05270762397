import PermModel

extension Desk {
  /// Opens a form. The form counts as visible only after it has been painted.
  mutating func open(_ form: Form) {
    self.form = form
    prompt.open(form.notice == nil ? .question : .notice)
  }

  /// Handles a key while a form is open. A key that changes or submits the answer takes effect later, in
  /// ``actOnPress()``.
  mutating func press(_ key: Key, _ command: Command?) -> [Effect] {
    form?.hint = nil
    guard let form else { return [] }
    if form.entry != nil { return type(key) }
    guard form.page == .facts else {
      prompt.note(at: now.milliseconds)
      return command.map { perform($0) } ?? []
    }
    guard let command else {
      disturb()
      if context.keys.command(for: key, in: .list) == .quit {
        self.form?.hint = "\(key) quits from the list behind this, not from here."
      }
      return []
    }
    if command.isObeyedAtOnce(by: key) {
      let wasArmed = prompt.isArmed
      return obey(prompt.pass(at: now.milliseconds)) ? perform(command, isArmed: wasArmed) : []
    }
    if prompt.pressed == nil { self.form?.wasReadWhenPressed = form.hasShownAll }
    obey(prompt.strike(key, at: now.milliseconds))
    return []
  }

  /// Handles a key while a line in the form has the focus.
  private mutating func type(_ key: Key) -> [Effect] {
    let moment = now.milliseconds
    if key == .enter, form?.entry == .typedWord, form?.isWithdrawn == false {
      obey(prompt.strike(key, at: moment))
    } else if obey(prompt.type(at: moment)), form?.type(key, at: moment) == true {
      // The key ended the line and must not also answer the form, so a new quiet period must pass first.
      prompt.disarm(at: moment)
    }
    return []
  }

  /// Inserts a paste into the note that is being typed. Anywhere else, a paste is stray input and restarts the wait.
  mutating func paste(_ text: String) {
    guard form?.entry == .note else {
      disturb()
      if form?.entry == .typedWord { form?.hint = Form.pasteHint }
      return
    }
    if obey(prompt.type(at: now.milliseconds)) { form?.note.paste(text) }
  }

  /// Carries out the command of the pending key, unless other input followed the key too soon.
  mutating func actOnPress() -> [Effect] {
    guard let key = prompt.advance(to: now.milliseconds), let form else { return [] }
    // While the required word is being typed, the pending key is Enter, which submits the word.
    let command = form.entry == .typedWord ? .press : context.keys.command(for: key, in: form.context)
    let effects = command.map { perform($0) } ?? []
    if self.form == nil { prompt.close(isAnswered: true) }
    return effects
  }

  private mutating func perform(_ command: Command, isArmed: Bool = true) -> [Effect] {
    switch form?.press(command, isArmed: isArmed) {
    case .stays, nil: break
    case .hint(let hint): form?.hint = hint
    case .readsOn:
      let hint = unreadHint
      form?.hint = hint
    case .copies: return copyInForm()
    case .reads: return [.show(form.map(wholeText) ?? "")]
    case .turns: restartWait()
    case .panics: return panicInForm()
    case .takesBack: return takeBack()
    case .givesWay: giveWay()
    case .ends(let response): return end(response)
    }
    return []
  }

  private mutating func copyInForm() -> [Effect] {
    let (atoms, before) = (form?.request?.request.atoms ?? [], report)
    let effects = copy(atoms)
    let hint = report?.text
    form?.hint = hint
    report = before
    return effects
  }

  /// The lines that must still be read, and the key that shows them.
  private var unreadHint: String {
    guard let form, let unread = form.seen.unread else { return "Its last lines were not read yet." }
    let isAbove = unread.lowerBound < form.scroll
    let key = key(isAbove || form.scroll + form.viewHeight >= form.lineCount ? .first : .pageDown)
    let lines = unread.lineWords.lowercased()
    if form.seen.width < LayoutWidth.narrow { return "Unread: \(lines). \(key) goes there" }
    let verb = unread.count == 1 ? "was" : "were"
    return isAbove
      ? "\(unread.lineWords) \(verb) not on the screen long enough: \(key) goes there"
      : "\(unread.lineWords) \(verb) not read yet: \(key) goes there"
  }

  /// Starts the panic, which denies all waiting requests and refuses all questions of programs, including the one in the
  /// form. The form stays open until that one is withdrawn.
  private mutating func panicInForm() -> [Effect] {
    guard data.panicSince == nil else {
      form?.hint = "The panic holds already."
      return []
    }
    let isAsked = form?.alertID != nil && form?.notice == nil
    form?.endsByPanic = isAsked
    return [.setPanic(true)]
  }
}

// MARK: - The wait before an answer

extension Desk {
  /// Returns whether the key takes effect now. If the wait restarts, resets the form's focus and choices.
  @discardableResult
  mutating func obey(_ outcome: PromptGuard<Key>.Outcome) -> Bool {
    if outcome == .restarts {
      form?.startOver()
      form?.seen.cover()
    }
    return outcome == .acts
  }

  /// Restarts the wait that must pass before the open form can be answered.
  mutating func restartWait() {
    prompt.restart(at: now.milliseconds)
    obey(.restarts)
  }

  /// Handles input that was not meant for the form, such as a key that has no meaning there. Restarts the wait.
  mutating func disturb() { obey(prompt.stray(at: now.milliseconds)) }

  /// Notes that the open form was completely painted on the terminal.
  mutating func painted(at moment: EventTime) {
    prompt.paint(at: moment.milliseconds)
    form?.seen.paint(at: moment.milliseconds)
  }
}

// MARK: - The end of a form

extension Desk {
  /// Closes the form, and returns the effects of the person's response. The response is `nil` if the person gave none.
  mutating func end(_ response: AlertResponse?) -> [Effect] {
    guard let form else { return [] }
    self.form = nil
    revision += 1
    guard let response, !form.isWithdrawn else { return [] }
    switch (form.content, response) {
    case (.alert(let alert), _):
      note(response, to: alert)
      if let turn = form.turn { responses[turn] = response == .setAside ? .setAside : .answered }
      if response != .setAside { close(alert, isPicked: form.isPicked) }
      if let verdict = response.verdict {
        lastAnswer = (alert.isOfThisMachine ? Set(alert.requestIDs) : [], verdict)
      }
      return form.isPicked ? end(picked: alert, response) : [.respond(alert.id, response, alert.digest)]
    case (.change(let change), .answered(let answer)):
      let what = what(answer, change.capability.id, "", isPart: false)
      report = report(of: answer, what, change.subject)
      return [.decide(change.subject, capability: change.capability.id, answer)]
    case (.question(let question), .confirmed):
      report = question.report
      guard case .answerTogether(let requests, let verdict, _) = question.effect else {
        return [question.effect]
      }
      return [.answerTogether(requests, verdict, form.lifetime)]
    default: return []
    }
  }

  private mutating func note(_ response: AlertResponse, to alert: Alert) {
    switch (response, alert.content) {
    case (.answered(let answer), .request(let request)):
      var report = report(of: answer, request)
      if let machine = place(of: alert)?.name { report = Report(text: "On \(machine): \(report.text)") }
      self.report = report
    case (.setAside, _): report = Report(text: "Set aside: \(visible(alert.summary)).")
    default: break
    }
  }

  private func report(of answer: Answer, _ alert: RequestAlert) -> Report {
    let title = alert.choices.first { $0.atoms == answer.atoms }?.title ?? alert.title
    let isPart = alert.choices.count > 1 || !answer.atoms.contains { $0.name == Atom.whole }
    let what = what(answer, alert.request.capability, title, isPart: isPart)
    return report(of: answer, what, alert.request.subject, alert.request.evidence)
  }

  /// Returns the capability that an answer is about, with the values or the part.
  private func what(_ answer: Answer, _ capability: String, _ title: String, isPart: Bool) -> String {
    let isValued = answer.atoms.contains { $0.scope != .any }
    guard isValued || isPart else { return capability }
    let words = isValued ? data.capability(capability)?.words(for: answer.atoms.sorted()) : nil
    return "\(capability): \(typesetter.visibleWords(words ?? title))"
  }

  /// Describes the effect of an answer in a sentence.
  private func report(
    of answer: Answer, _ what: String, _ subject: Subject, _ evidence: Evidence? = nil
  ) -> Report {
    let verb = answer.verdict == .allow ? "Allowed" : "Denied"
    let isUntilEnd = answer.lifetime == .process && evidence?.walled != nil
    let muted = !answer.mutes ? "" : isUntilEnd ? ", and all that the run still asks" : ", muted for an hour"
    return Report(
      text: "\(verb) \(held(answer, evidence)): \(what) for \(visible(subject.name))\(muted).",
      isUndoable: answer.lifetime != .once || answer.mutes)
  }

  /// Says how many allows a denial has taken back, after the sentence about the denial if it is still shown.
  mutating func report(_ kept: DecisionResult) {
    guard let words = kept.wordsTakenBack else { return }
    let text = report.map { $0.isUndoable ? "\($0.text) \(words)" : words } ?? words
    report = Report(text: text, isUndoable: true)
  }

  private func held(_ answer: Answer, _ evidence: Evidence?) -> String {
    switch answer.lifetime {
    case .once: "for this request"
    case .duration(let duration): "until \(short(now.wall + duration))"
    case let other: other.words(of: evidence, short)
    }
  }
}
