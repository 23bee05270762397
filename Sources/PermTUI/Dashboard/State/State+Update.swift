import PermModel

extension State {
  /// Takes in what happened, and says what is to be done about it.
  ///
  /// - Parameter moment: when it happened. Moments never go back on the monotonic clock.
  mutating func update(_ action: Action, at moment: EventTime) -> [Effect] {
    now = moment
    form?.seen.advance(to: now.milliseconds, after: prompt.times.visible)
    let waitedBefore = waitingCount
    var effects = take(action)
    refreshWaiting()
    if data.dropExpired(at: now.wall) { revision += 1 }
    refreshLists()
    effects += showNextAlert()
    settleForm()
    refreshWaiting()
    effects += announce(waitedBefore: waitedBefore) + askToRead()
    return effects
  }

  private mutating func take(_ action: Action) -> [Effect] {
    switch action {
    case .keys(let keys):
      return take(keys)
    case .paste(let text):
      return take(paste: text)
    case .noise:
      disturb()
    case .resized(let size):
      self.size = size
      restartWait()
    case .heldUp, .focused:
      restartWait()
    case .repeated:
      prompt.repeat(at: now.milliseconds)
    case .tick:
      return actOnPress() + (data.nextExpiry.map { $0 <= now.wall } == true ? [.refresh] : [])
    case .inputEnded:
      return [.quit(isInterrupt: false)]
    case .changed(let data):
      take(data)
    case .noticed(let news):
      marks.note(news, dashboardID: surroundings.dashboardID)
      revision += 1
    case .presented(let alert):
      take(presented: alert)
    case .withdrawn(let id):
      withdraw(id)
    case .exampleEnded(let capability, let outcome):
      examples[capability] = .ended(outcome, at: now.wall)
    case .reported(let report):
      self.report = report
    }
    return []
  }

  private mutating func take(_ keys: [Key]) -> [Effect] {
    var effects: [Effect] = []
    let gone = marks.gone.count
    marks.see(visibleNews)
    if marks.gone.count != gone { revision += 1 }
    for key in keys { effects += press(key) }
    return effects
  }

  /// A paste goes into the line being typed, if there is one, and never acts.
  private mutating func take(paste text: String) -> [Effect] {
    if form?.entry == .note {
      if obey(prompt.type(at: now.milliseconds)) { form?.note.paste(text) }
      return []
    }
    disturb()
    if isTypingFilter, form == nil {
      list.filter.paste(text)
    } else if form?.entry == .typedWord {
      form?.hint = Form.pasteHint
    }
    return []
  }

  /// There was input that is no key pressed on purpose.
  mutating func disturb() { obey(prompt.stray(at: now.milliseconds)) }

  private mutating func take(_ data: DashboardData) {
    self.data = data
    revision += 1
  }

  /// Rings and sets the title when the number of what waits has changed.
  private func announce(waitedBefore: Int) -> [Effect] {
    let waiting = waitingCount
    guard waiting != waitedBefore else { return [] }
    var effects: [Effect] = []
    if waiting > waitedBefore, surroundings.rings { effects.append(.bell) }
    if surroundings.setsTitle {
      effects.append(.title(waiting == 0 ? "PermTUI" : "PermTUI: \(waiting) waiting"))
    }
    return effects
  }
}
