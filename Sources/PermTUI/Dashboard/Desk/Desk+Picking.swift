import PermBroker
import PermModel

// Requests that the person picks from a list, instead of waiting until their alerts come up.

extension Desk {
  /// Opens the picked request, or asks whether to give all of them the same answer.
  mutating func take(picked: [PendingRequest], _ verdict: Verdict?) -> [Effect] {
    guard form == nil else { return say("No request was opened, because an alert came up.") }
    guard let first = picked.first else { return say("It was answered or withdrawn meanwhile.") }
    if let verdict { return ask(picked, verdict) }
    var form = Form(.alert(first.alert))
    form.isPicked = true
    form.isOnOtherScreen = round != nil && first.isOnScreen
    open(form)
    return []
  }

  /// Returns the effects of the person's answer to a picked request. Its alert does not come up again, even if it has
  /// arrived in this dashboard meanwhile.
  mutating func end(picked alert: Alert, _ response: AlertResponse) -> [Effect] {
    guard case .answered(let answer) = response, let request = alert.request?.request else { return [] }
    for shown in picture.shown where shown.alert.id == alert.id && request == shown.alert.onlyRequest {
      responses[shown.turn] = .answered
    }
    round?.answered.insert(request.id)
    return [.answer(alert.id, answer, alert.digest)]
  }

  /// Closes the alert on the screen without a response, and opens the list of what waits.
  mutating func giveWay() {
    guard form?.alert != nil else { return }
    form = nil
    opensWaiting = true
    revision += 1
  }

  /// Withdraws a picked request that no longer waits.
  mutating func withdrawPicked() {
    guard let form, form.isPicked, !form.isWithdrawn, let id = form.alertID else { return }
    let isThere = picture.machines.contains { $0.waiting.requests.contains { $0.alertID == id } }
    if !isThere, !data.waiting.contains(where: { $0.id == id }) { withdrawForm() }
  }
}

// MARK: - Answering together

extension Desk {
  /// Asks whether to give several requests the same answer, and for how long. The question lists them.
  private mutating func ask(_ requests: [PendingRequest], _ verdict: Verdict) -> [Effect] {
    if verdict == .allow, let severe = requests.first(where: { $0.takesWord(for: .once) }) {
      let label = visible(severe.request.subject.name)
      return say(
        "\(severe.request.capability) for \(label) can do great harm: answer it on its own.", isError: true)
    }
    let fit = requests.filter { verdict == .deny || $0.reasonToBeAnsweredAlone == nil }
    let offers = Self.lifetimes(for: fit, verdict)
    let lifetime = togetherLifetime
    togetherLifetime = nil
    if let lifetime, let reason = Self.obstacle(to: lifetime, offers) { return say(reason, isError: true) }
    let verb = verdict == .allow ? "Allow" : "Deny"
    let end = lifetime == .once ? "" : lifetime.map { ", \(words($0))" } ?? ""
    let all = requests.count == 1 ? "one request" : "\(requests.count) requests"
    let count = fit.isEmpty || fit.count == requests.count ? all : "\(fit.count) of \(all)"
    let confirmation = Confirmation(
      title: "\(verb) \(count)\(end)?",
      message: requests.map { sentence(for: $0, verdict) }.joined(separator: "\n"),
      action: verb)
    let effects = ask(
      Question(
        confirmation: confirmation, effect: .answerTogether(fit, verdict, .once),
        report: Report(text: "\(verdict == .allow ? "Allowing" : "Denying") \(count)…"), lifetimes: offers))
    if let place = offers.firstIndex(where: { $0.choice == lifetime }) { form?.keepFor = place }
    return effects
  }

  private func words(_ lifetime: LifetimeChoice) -> String {
    let words = lifetime.words(of: nil, short)
    if case .duration = lifetime { return "for \(words)" }
    return words
  }

  /// Returns the reason, as a sentence, why a lifetime cannot be chosen; `nil` if it can.
  private static func obstacle(to lifetime: LifetimeChoice, _ offers: [LifetimeOffer]) -> String? {
    guard let offer = offers.first(where: { $0.choice == lifetime }) else {
      return "Several requests can be answered for once, session, 10m, 8h or forever."
    }
    return offer.disabledReason.map { "It cannot be chosen: \($0)." }
  }

  /// Returns the lifetimes that the first request offers. One that cannot be chosen for each of the requests is off.
  private static func lifetimes(for requests: [PendingRequest], _ verdict: Verdict) -> [LifetimeOffer] {
    (requests.first?.content.lifetimes(cover: 0) ?? []).map { offer in
      var offer = LifetimeOffer(offer.choice, disabledReason: offer.reason(against: verdict))
      for request in requests where offer.disabledReason == nil {
        offer.disabledReason = request.obstacle(to: offer.choice, verdict)
      }
      return offer
    }
  }

  /// Describes a request with its evidence and its reason, so that it can be answered without opening its alert.
  private func sentence(for pending: PendingRequest, _ verdict: Verdict) -> String {
    let request = pending.request
    let what =
      data.capability(request.capability)?.words(for: pending.content.choices[0].atoms.sorted()) ?? "use"
    let label = visible(request.subject.framedName)
    let seen = (request.evidence?.program).map { ", seen \(visiblePath($0))" } ?? ""
    let folder = (request.evidence?.workingDirectory).map { ", working in \(visiblePath($0))" } ?? ""
    let reason = request.reason.map { ", because \" \(visible($0)) \"" } ?? ""
    let warnings = (pending.warnings.map { visible($0) } + otherNames(in: pending)).map { "\n  ! \($0)" }
      .joined()
    let alone = verdict == .allow ? pending.reasonToBeAnsweredAlone : nil
    let left = alone.map { "\n  ! left out: \($0)" } ?? ""
    let place = machineName(of: pending.alertID).map { "on \($0), " } ?? ""
    return
      "· \(place)\(request.capability): \(typesetter.visibleWords(what)) for \(label)\(seen)\(folder)\(reason)\(warnings)\(left)"
  }

  private func visiblePath(_ path: String) -> String { visible(HomeFolder.shortened(path)) }

  /// Returns the other names of the asked paths, in escaped lines.
  private func otherNames(in pending: PendingRequest) -> [String] {
    let facts = RequestFacts(
      pending.content, choice: 0, visible: typesetter.visible,
      quoted: { [typesetter] in "\" \(typesetter.visible($0)) \"" }, moment: nil, exact: nil)
    return facts.otherNames.map(\.line)
  }
}

extension PendingRequest {
  /// The reason why the request cannot be allowed together with others, in words; `nil` if it can.
  var reasonToBeAnsweredAlone: String? {
    if content.identity.isSuspicious(label: request.subject.label) {
      return "it can only be allowed on its own"
    }
    return request.details == nil ? nil : "it has details that must be read; open it"
  }

  /// Returns whether a word must be typed to allow exactly what was asked for.
  fileprivate func takesWord(for lifetime: LifetimeChoice) -> Bool {
    content.typedWord(for: content.choices[0].atoms, lifetime: lifetime) != nil
  }

  /// Returns the reason why this request cannot be answered for so long together with others; `nil` if it can.
  fileprivate func obstacle(to lifetime: LifetimeChoice, _ verdict: Verdict) -> String? {
    let name = request.subject.name
    guard let offer = content.lifetimes(cover: 0).first(where: { $0.choice == lifetime }) else {
      return "not on offer for \(name)"
    }
    if let reason = offer.reason(against: verdict) { return "\(name): \(reason)" }
    return verdict == .allow && takesWord(for: lifetime) ? "\(name) takes a typed word for that" : nil
  }
}
