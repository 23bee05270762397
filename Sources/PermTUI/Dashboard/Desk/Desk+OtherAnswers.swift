import PermModel

// Answers at other places to requests whose alerts are also in this dashboard.

extension Desk {
  /// Notes an answer that was given elsewhere. If the person has denied the same request in this dashboard, but too
  /// late, takes the other answer back.
  mutating func take(_ other: AnswerElsewhere) -> [Effect] {
    if lastAnswer.requests.contains(other.request) {
      return isOwnAnswer(other) ? [] : take(other, instead: lastAnswer.verdict)
    }
    guard let alert = form?.alert, alert.isOfThisMachine,
      alert.requestIDs.contains(other.request)
    else { return [] }
    let denies = form?.withdrawal?.wasBeingDenied == true || isDenying
    form?.reason = .answered(other)
    revision += 1
    if denies, isInGrace(other) { return takeBack() }
    offerToTakeBack()
    return []
  }

  /// Returns whether an answer to the request that the person answered last is that answer. A round shares its origin
  /// with other commands. If one of them has given the same answer first, the round's own answer ends with an error.
  private func isOwnAnswer(_ other: AnswerElsewhere) -> Bool {
    round != nil && other.origin == .commandLine && other.verdict == lastAnswer.verdict
  }

  /// Handles an answer that counted instead of the one that the person gave in this dashboard.
  private mutating func take(_ other: AnswerElsewhere, instead verdict: Verdict) -> [Effect] {
    lastAnswer = ([], verdict)
    if verdict == .deny, isInGrace(other) { return [.takeBack(other.request)] }
    report = Report(text: "It was \(visible(other.words)) first; your answer had no effect.", isError: true)
    return []
  }

  /// Whether a key that denies was pressed, but does not count yet.
  var isDenying: Bool {
    switch pressedCommand {
    case .deny, .denyAndMute, .denyRest: true
    case .press: form?.focused == .deny
    default: false
    }
  }

  /// Offers to take back an allow that was given elsewhere, as long as that is possible.
  mutating func offerToTakeBack() {
    guard let other = form?.otherAnswer else { return }
    let canTakeBack = isInGrace(other)
    form?.offerToTakeBack(canTakeBack)
  }

  /// Closes the form, and returns the effect that takes the other answer back.
  mutating func takeBack() -> [Effect] {
    guard let request = form?.otherAnswer?.request else { return [] }
    form = nil
    revision += 1
    return [.takeBack(request)]
  }

  /// If the change that the status line names was undone elsewhere, warns of that, because the status line is no longer
  /// true.
  mutating func noteUndone(_ news: [DecisionNews]) {
    let named = named(for: .undo)
    guard
      let undo = news.first(where: { $0.origin != origin && $0.undoes.map(named.contains) == true })
    else { return }
    report = nil
    let what = "\(visible(undo.id.capability)) for \(visible(undo.id.subject.name))"
    warning = "Taken back \(visible(undo.origin.otherPhrase)): \(what)."
  }

  /// The time at which the offer to take an answer back ends; `nil` if there is none.
  var endOfGrace: Timestamp? { form?.canTakeBack == true ? form?.otherAnswer?.endOfGrace : nil }

  private func isInGrace(_ other: AnswerElsewhere) -> Bool { other.endOfGrace.map { now.wall < $0 } ?? false }
}

// MARK: - Set aside elsewhere

extension Desk {
  /// The item of the alert that was withdrawn on the screen, if its request still waits; `nil` if it does not.
  var leftItem: WaitingRow? {
    guard let form, form.isWithdrawn, form.reason == nil else { return nil }
    return form.alert?.requestItems.lazy.compactMap { waiting[$0] }.first
  }
}

extension AlertResponse {
  /// The verdict about a request; `nil` if this is another response.
  var verdict: Verdict? {
    if case .answered(let answer) = self { answer.verdict } else { nil }
  }
}
