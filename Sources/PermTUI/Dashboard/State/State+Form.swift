import PermModel

extension State {
  /// Opens a form. It counts as visible once it is painted.
  mutating func open(_ form: Form) {
    self.form = form
    prompt.open(form.notice == nil ? .question : .notice)
  }

  /// Takes a key while a form is open. What changes or gives the answer is done later, by ``actOnPress()``.
  mutating func pressInForm(_ key: Key, _ command: Command?) -> [Effect] {
    form?.hint = nil
    if form?.entry != nil { return typeInForm(key) }
    guard form?.page == .facts else { return pressBeside(command) }
    guard let command else {
      obey(prompt.stray(at: now.milliseconds))
      return []
    }
    if command.isObeyedAtOnce(by: key) {
      let wasArmed = prompt.isArmed
      return obey(prompt.pass(at: now.milliseconds)) ? run(command, isArmed: wasArmed) : []
    }
    let isRead = form?.hasShownAll == true
    if prompt.pressed == nil { form?.wasReadWhenPressed = isRead }
    obey(prompt.strike(key, at: now.milliseconds))
    return []
  }

  /// Does what the key means whose press counts by now, if there is one.
  mutating func actOnPress() -> [Effect] {
    guard let key = prompt.advance(to: now.milliseconds), form != nil else { return [] }
    let effects = act(on: key)
    if form == nil { prompt.close(isAnswered: true) }
    return effects
  }

  private mutating func act(on key: Key) -> [Effect] {
    if form?.entry == .typedWord { return enterWord() }
    return surroundings.keys.command(for: key, in: contexts).map { run($0) } ?? []
  }

  /// Puts the choices back where the wait begins again.
  ///
  /// - Returns: whether the key is obeyed now.
  @discardableResult
  mutating func obey(_ outcome: PromptGuard<Key>.Outcome) -> Bool {
    if outcome == .restarts {
      form?.startOver()
      form?.seen.cover()
    }
    return outcome == .acts
  }

  /// Begins the wait again before the open form can be answered.
  mutating func restartWait() {
    prompt.restart(at: now.milliseconds)
    obey(.restarts)
  }

  private mutating func run(_ command: Command, isArmed: Bool = true) -> [Effect] {
    if scrollForm(command) { return [] }
    if let offer = Command.keepFor.firstIndex(of: command) {
      chooseLifetime(offer)
      return []
    }
    switch command {
    case .nextButton: moveFocus(by: 1)
    case .previousButton: moveFocus(by: -1)
    case .press: return form.map { press($0.focused) } ?? []
    case .allow: return press(.allow)
    case .deny: return press(.deny)
    case .confirm: return press(.confirm)
    case .refuse: return press(.refuse)
    case .denyAndMute: return answer(.deny, mutes: true)
    case .panic: return panicInForm()
    case .setAside: return putOff()
    case .close: return form?.notice == nil ? closeForm() : closeNotice(isArmed)
    case .narrow: narrow()
    case .note where form?.isWithdrawn == false: form?.entry = .note
    case .lookAhead: turnPage(to: .waiting)
    case .help: turnPage(to: .keys)
    default: break
    }
    return []
  }

  /// Keys while something else is read beside the alert.
  private mutating func pressBeside(_ command: Command?) -> [Effect] {
    prompt.note(at: now.milliseconds)
    guard let command, !scrollForm(command) else { return [] }
    if command == .back || command == .help { turnPage(to: .facts) }
    return []
  }

  private mutating func turnPage(to page: Form.Page) {
    form?.page = page
    form?.scroll = 0
    restartWait()
  }

  private mutating func scrollForm(_ command: Command) -> Bool {
    let page = max(1, formLayout?.viewHeight ?? 1)
    switch command {
    case .down: form?.scroll += 1
    case .up: form?.scroll -= 1
    case .pageDown: form?.scroll += page
    case .pageUp: form?.scroll -= page
    case .halfPageDown: form?.scroll += max(1, page / 2)
    case .halfPageUp: form?.scroll -= max(1, page / 2)
    case .first: form?.scroll = 0
    case .last:
      let end = formLayout?.lines.count ?? 0
      form?.scroll = end
    default: return false
    }
    return true
  }

  private mutating func moveFocus(by distance: Int) {
    guard let form else { return }
    self.form?.focus = (form.focus + distance + form.buttons.count) % form.buttons.count
  }

  private mutating func chooseLifetime(_ place: Int) {
    guard let form, !form.isWithdrawn, form.lifetimes.indices.contains(place) else { return }
    if let reason = form.lifetimes[place].disabledReason {
      self.form?.hint = "Choice \(place + 1) is off: \(reason)."
    } else {
      self.form?.keepFor = place
      if let reason = form.lifetimes[place].denialOnlyReason {
        self.form?.hint = "Choice \(place + 1) is for a denial only: \(reason)."
      }
    }
  }

  private mutating func narrow() {
    guard let form, !form.isWithdrawn else { return }
    if form.choices.count < 2 {
      self.form?.hint = "There is nothing narrower to allow."
    } else {
      self.form?.choice = (form.choice + 1) % form.choices.count
    }
  }

  /// Presses a button, if it is there.
  private mutating func press(_ button: FormButton) -> [Effect] {
    guard let form, form.buttons.contains(button) else { return [] }
    switch button {
    case .deny: return answer(.deny)
    case .allow: return allow()
    case .confirm: return mayAgree() ? agree() : []
    case .refuse: return form.isWithdrawn ? [] : close(with: .refused)
    case .setAside: return putOff()
    case .close where form.isAnswer(.close): return close(with: .acknowledged)
    case .cancel, .close: return closeForm()
    }
  }

  /// Whether a yes counts: everything was on the screen, and the word is typed where one is asked for.
  private mutating func mayAgree() -> Bool {
    guard mayAnswer(), let form else { return false }
    if !form.wasReadWhenPressed {
      self.form?.hint = "Read all of it first: scroll down, and not too fast."
      return false
    }
    guard let word = form.requiredWord, form.typedWord.text != word else { return true }
    self.form?.entry = .typedWord
    return false
  }

  /// Whether an answer counts; says why if it does not.
  private mutating func mayAnswer() -> Bool {
    guard let form, !form.isWithdrawn else { return false }
    if form.isUnbacked { self.form?.hint = "Nobody stands behind it now: wait for the next broker." }
    return !form.isUnbacked
  }

  private mutating func allow() -> [Effect] {
    if let form, form.lifetimes.indices.contains(form.keepFor),
      let reason = form.lifetimes[form.keepFor].reason(against: .allow)
    {
      self.form?.hint = "It cannot be allowed for so long: \(reason). Press 1 for this request."
      return []
    }
    return mayAgree() ? answer(.allow) : []
  }

  private mutating func answer(_ verdict: Verdict, mutes: Bool = false) -> [Effect] {
    guard mayAnswer(), let form else { return [] }
    return give(form.answer(verdict, mutes: mutes))
  }

  private mutating func give(_ answer: Answer) -> [Effect] {
    guard let form else { return [] }
    if let request = form.request, let id = form.alertID {
      self.form = nil
      report = report(of: answer, request: request)
      return [.respond(id, .answered(answer))]
    }
    guard let change = form.change else { return [] }
    self.form = nil
    report = self.report(of: answer, change: change)
    return [.decide(change.subject, capability: change.capability.id, answer)]
  }

  private mutating func agree() -> [Effect] {
    guard let form else { return [] }
    self.form = nil
    if case .question(let question) = form.content {
      report = question.report
      if question.answersRequests { marked = [] }
      return question.effects
    }
    return form.alertID.map { [.respond($0, .confirmed)] } ?? []
  }

  private mutating func close(with response: AlertResponse) -> [Effect] {
    let id = form?.alertID
    form = nil
    return id.map { [.respond($0, response)] } ?? []
  }

  /// Ends the form with a response that was typed, and not given by its buttons.
  mutating func end(with response: AlertResponse) -> [Effect] {
    defer { prompt.close(isAnswered: true) }
    switch response {
    case .answered(let answer): return give(answer)
    case .confirmed: return agree()
    case .setAside: return putOff()
    case .refused, .acknowledged, .dismissed: return close(with: response)
    }
  }

  /// Denies what is asked with everything else that is new. The form stays until the store has said so.
  private mutating func panicInForm() -> [Effect] {
    guard data.panicSince == nil else {
      form?.hint = "The panic holds already."
      return []
    }
    let isRequest = form?.request != nil
    form?.endsByPanic = isRequest
    return [.setPanic(true)]
  }

  /// Puts an alert off. That is safe at any moment, so it needs no arming.
  private mutating func putOff() -> [Effect] {
    guard let form, !form.isWithdrawn, case .alert(let alert) = form.content else { return closeForm() }
    self.form = nil
    setAside.append(alert)
    revision += 1
    report = Report(text: "Set aside: \(typesetter.visible(alert.summary)).")
    return [.respond(alert.id, .setAside)]
  }

  /// Closes a notice that was read; one that was hardly seen is put off instead of lost.
  private mutating func closeNotice(_ isArmed: Bool) -> [Effect] {
    guard let form, form.alertID != nil, !form.isWithdrawn else { return closeForm() }
    return isArmed ? close(with: .acknowledged) : putOff()
  }

  private mutating func closeForm() -> [Effect] {
    form = nil
    return []
  }

  /// Keys while a line in the form has the focus.
  private mutating func typeInForm(_ key: Key) -> [Effect] {
    if key == .enter, form?.entry == .typedWord, form?.isWithdrawn == false {
      obey(prompt.strike(key, at: now.milliseconds))
      return []
    }
    guard obey(prompt.type(at: now.milliseconds)) else { return [] }
    switch (key, form?.entry) {
    case (.escape, _), (.enter, _): leaveLine()
    case (_, .typedWord): form?.typeWord(key, at: now.milliseconds)
    default: _ = form?.note.press(key)
    }
    return []
  }

  /// Gives the keys back to the form. The one that did so was meant for the line, so the input must be quiet again.
  private mutating func leaveLine() {
    if form?.entry == .typedWord { form?.forgetWord() }
    form?.entry = nil
    prompt.disarm(at: now.milliseconds)
  }

  /// Takes the word that was typed. A wrong one, and one that nobody typed, does not stay.
  private mutating func enterWord() -> [Effect] {
    guard let form, let word = form.requiredWord else { return [] }
    let text = form.typedWord.text
    let isPasted = form.isWordPasted
    self.form?.forgetWord()
    guard !isPasted else {
      self.form?.hint = Form.pasteHint
      return []
    }
    guard text == word else {
      self.form?.hint = "That is not the word. Nothing was answered."
      return []
    }
    return form.confirmation == nil ? answer(.allow) : agree()
  }

  /// Keeps the form inside its frame, and lays out what of it is to be seen.
  mutating func settleForm() {
    guard let form, let layout = formLayout else { return prompt.close() }
    let first = min(max(0, form.scroll), max(0, layout.lines.count - layout.viewHeight))
    let last = min(layout.lines.count, first + layout.viewHeight)
    self.form?.scroll = first
    guard isFormVisible else { return coverForm() }
    self.form?.seen.lay(first..<last, of: layout.lines.count, width: layout.lineWidth)
  }

  /// Whether the facts are on the screen, so that the form may be answered.
  var isFormVisible: Bool { form?.page == .facts && !isTooSmall }

  private mutating func coverForm() {
    prompt.cover()
    form?.seen.cover()
  }

  /// A frame that shows the state as it is was completely painted.
  mutating func painted(at moment: EventTime) {
    guard isFormVisible else { return }
    prompt.paint(at: moment.milliseconds)
    form?.seen.paint(at: moment.milliseconds)
  }
}

extension State {
  /// What an answer to a request did, in a sentence.
  private func report(of answer: Answer, request: RequestAlert) -> Report {
    let verb = answer.verdict == .allow ? "Allowed" : "Denied"
    let words = request.choices.first { $0.atoms == answer.atoms }?.title ?? request.title
    let what =
      request.choices.count > 1 ? "\(request.request.capability): \(words)" : request.request.capability
    let muted = answer.mutes ? ", muted for an hour" : ""
    let label = typesetter.visible(request.request.subject.label)
    return Report(
      text: "\(verb) \(what) for \(label), \(held(answer, request.request.evidence))\(muted).",
      isUndoable: answer.lifetime != .once)
  }

  private func report(of answer: Answer, change: DecisionDraft) -> Report {
    let verb = answer.verdict == .allow ? "Allowed" : "Denied"
    let label = typesetter.visible(change.subject.label)
    return Report(
      text: "\(verb) \(change.capability.id) for \(label), \(held(answer, nil)).", isUndoable: true)
  }

  private func held(_ answer: Answer, _ evidence: Evidence?) -> String {
    switch answer.lifetime {
    case .once: "this request only"
    case .duration(let duration): "until \(short(now.wall + duration))"
    case let other: other.words(of: evidence?.process, short)
    }
  }
}
