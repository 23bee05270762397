import PermModel

extension State {
  /// Takes a key while a form is open.
  mutating func pressInForm(_ key: Key, _ command: Command?, isAlone: Bool) -> [Effect] {
    form?.hint = nil
    let wasArmed = form?.arming.isArmed(at: now) == true
    if form?.entry != nil { return typeInForm(key, wasArmed: wasArmed, isAlone: isAlone) }
    guard let command else {
      form?.arming.restart(at: now)
      return []
    }
    if !wasArmed { form?.arming.restart(at: now) }
    return runInForm(command, isArmed: wasArmed && isAlone)
  }

  private mutating func runInForm(_ command: Command, isArmed: Bool) -> [Effect] {
    if form?.page != .facts { return runBeside(command) }
    if scrollForm(command) { return [] }
    if let offer = Command.keepFor.firstIndex(of: command) {
      chooseLifetime(offer)
      return []
    }
    switch command {
    case .nextButton: moveFocus(by: 1)
    case .previousButton: moveFocus(by: -1)
    case .press: return form.map { press($0.focused, isArmed: isArmed) } ?? []
    case .allow: return press(.allow, isArmed: isArmed)
    case .deny: return press(.deny, isArmed: isArmed)
    case .confirm: return press(.confirm, isArmed: isArmed)
    case .refuse: return press(.refuse, isArmed: isArmed)
    case .denyAndMute: return answer(.deny, mutes: true, isArmed: isArmed)
    case .panic: return panicInForm(isArmed: isArmed)
    case .setAside: return putOff()
    case .close: return form?.notice == nil ? closeForm() : closeNotice(isArmed: isArmed)
    case .narrow: narrow()
    case .note where form?.isWithdrawn == false: form?.entry = .note
    case .lookAhead: turnPage(to: .waiting)
    case .help: turnPage(to: .keys)
    default: break
    }
    return []
  }

  /// Keys while something else is read beside the alert.
  private mutating func runBeside(_ command: Command) -> [Effect] {
    if scrollForm(command) { return [] }
    if command == .back || command == .help { turnPage(to: .facts) }
    return []
  }

  private mutating func turnPage(to page: Form.Page) {
    form?.page = page
    form?.scroll = 0
    form?.arming.restart(at: now)
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

  /// Presses a button, if it is there and may be pressed now.
  private mutating func press(_ button: FormButton, isArmed: Bool) -> [Effect] {
    guard let form, form.buttons.contains(button) else { return [] }
    switch button {
    case .deny: return answer(.deny, isArmed: isArmed)
    case .allow: return allow(isArmed: isArmed)
    case .confirm: return confirm(isArmed: isArmed)
    case .refuse: return refuse(isArmed: isArmed)
    case .setAside: return putOff()
    case .close where form.isAnswer(.close):
      return mayAnswer(isArmed) ? closeNotice(isArmed: isArmed) : []
    case .cancel, .close: return closeForm()
    }
  }

  /// Whether an answer counts now; says why where it does not.
  private mutating func mayAnswer(_ isArmed: Bool) -> Bool {
    guard let form, !form.isWithdrawn else { return false }
    if form.isUnbacked {
      self.form?.hint = "Nobody stands behind it now: wait for the next broker."
      return false
    }
    if !isArmed { self.form?.hint = "Not yet: keys count after half a second without one." }
    return isArmed
  }

  /// Whether a yes counts now: everything was on the screen, and the word is typed where one is asked for.
  private mutating func mayAgree(_ isArmed: Bool) -> Bool {
    guard mayAnswer(isArmed), let form else { return false }
    if !form.hasShownAll {
      self.form?.hint = "Read all of it first: scroll down."
      return false
    }
    guard let word = form.requiredWord, form.typedWord.text != word else { return true }
    self.form?.entry = .typedWord
    return false
  }

  private mutating func allow(isArmed: Bool) -> [Effect] {
    if let form, form.lifetimes.indices.contains(form.keepFor),
      let reason = form.lifetimes[form.keepFor].reason(against: .allow)
    {
      self.form?.hint = "It cannot be allowed for so long: \(reason). Press 1 for this request."
      return []
    }
    return mayAgree(isArmed) ? answer(.allow, isArmed: isArmed) : []
  }

  private mutating func answer(_ verdict: Verdict, mutes: Bool = false, isArmed: Bool) -> [Effect] {
    guard mayAnswer(isArmed), let form else { return [] }
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

  private mutating func confirm(isArmed: Bool) -> [Effect] {
    mayAgree(isArmed) ? agree() : []
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

  private mutating func refuse(isArmed: Bool) -> [Effect] {
    mayAnswer(isArmed) ? close(with: .refused) : []
  }

  private mutating func close(with response: AlertResponse) -> [Effect] {
    let id = form?.alertID
    form = nil
    return id.map { [.respond($0, response)] } ?? []
  }

  /// Ends the form with a response that was typed, and not given by its buttons.
  mutating func end(with response: AlertResponse) -> [Effect] {
    switch response {
    case .answered(let answer): give(answer)
    case .confirmed: agree()
    case .setAside: putOff()
    case .refused, .acknowledged, .dismissed: close(with: response)
    }
  }

  /// Denies what is asked with everything else that is new. The form stays until the store has said so.
  private mutating func panicInForm(isArmed: Bool) -> [Effect] {
    guard data.panicSince == nil else {
      form?.hint = "The panic holds already."
      return []
    }
    guard form?.isWithdrawn == true || mayAnswer(isArmed) else { return [] }
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
  private mutating func closeNotice(isArmed: Bool) -> [Effect] {
    guard let form, form.alertID != nil, !form.isWithdrawn else { return closeForm() }
    return isArmed ? close(with: .acknowledged) : putOff()
  }

  private mutating func closeForm() -> [Effect] {
    form = nil
    return []
  }

  /// Keys while a line in the form has the focus.
  private mutating func typeInForm(_ key: Key, wasArmed: Bool, isAlone: Bool) -> [Effect] {
    switch (key, form?.entry) {
    case (.enter, _) where form?.isWithdrawn == true, (.escape, _) where form?.isWithdrawn == true:
      form?.entry = nil
      form?.arming.restart(at: now)
    case (.escape, .typedWord):
      form?.entry = nil
      form?.typedWord = TextField()
    case (.escape, _), (.enter, .note):
      form?.entry = nil
      form?.arming.restart(at: now)
    case (.enter, _): return enterWord(isArmed: wasArmed && isAlone)
    case (_, .typedWord): _ = form?.typedWord.press(key)
    default: _ = form?.note.press(key)
    }
    return []
  }

  private mutating func enterWord(isArmed: Bool) -> [Effect] {
    guard let form, let word = form.requiredWord else { return [] }
    guard form.typedWord.text == word else {
      self.form?.hint = "That is not the word. Nothing was answered."
      return []
    }
    return form.confirmation == nil ? allow(isArmed: isArmed) : confirm(isArmed: isArmed)
  }

  /// Keeps the form inside its frame, and remembers what of it has been on the screen.
  mutating func settleForm() {
    guard let layout = formLayout, var form else { return }
    form.scroll = min(max(0, form.scroll), max(0, layout.lines.count - layout.viewHeight))
    if form.page == .facts, !isTooSmall {
      if form.seenWidth != layout.lineWidth {
        form.seen = RangeSet()
        form.seenWidth = layout.lineWidth
      }
      form.seen.insert(contentsOf: form.scroll..<min(layout.lines.count, form.scroll + layout.viewHeight))
      if form.seen.ranges.first == 0..<layout.lines.count { form.hasShownAll = true }
    }
    self.form = form
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
    case .duration(let duration): "until \(surroundings.clock.short(now.wall + duration, now: now.wall))"
    case let other: other.words(evidence, clock: surroundings.clock, now: now.wall)
    }
  }
}
