import PermModel

/// The reason why the alert on the screen was withdrawn: something other than an answer in this dashboard ended it.
enum AlertLoss: Hashable, Sendable {
  case answeredInAgent
  case answered(OtherAnswer)
  case brokerGone
  case setAside
  /// The request waits, but not for this dashboard.
  case waitsElsewhere
  /// The program no longer waits.
  case ended

  var title: String {
    switch self {
    case .answeredInAgent: "Answered in the agent"
    case .answered(let other): other.verdict == .allow ? "Allowed elsewhere" : "Denied elsewhere"
    case .setAside: "Set aside elsewhere"
    case .brokerGone, .waitsElsewhere, .ended: "Withdrawn"
    }
  }

  /// Returns the reason as the end of a sentence, for example `was answered in the agent`.
  ///
  /// - Parameters:
  ///   - list: The key or the word that lists what waits.
  ///   - visible: Escapes untrusted text from other programs.
  func words(list: String, _ visible: (String) -> String) -> String {
    switch self {
    case .answeredInAgent: "was answered in the agent"
    case .answered(let other): "was \(visible(other.words))"
    case .brokerGone: "will be shown again if it still waits"
    case .setAside: "was set aside elsewhere; \(list) lists it"
    case .waitsElsewhere: "no longer waits for this dashboard"
    case .ended: "is no longer waiting"
    }
  }
}

// MARK: - A lost alert that nobody closes

extension Desk {
  /// The time in milliseconds without a key after which a lost alert becomes a line.
  private static let timeToClose: Int64 = 10_000

  /// The time at which the lost alert on the screen becomes a line; `nil` if it stays. It stays while a line is being
  /// typed in it, because the next letters would be taken as commands.
  var endOfLoss: Int64? {
    guard let form, let lostAt = form.lostAt, form.entry == nil, !form.canTakeBack else { return nil }
    return max(lostAt, prompt.lastInput) + Self.timeToClose
  }

  /// Turns a lost alert into a line if no key was pressed for a while, so that it holds up no other alert. The next alert
  /// then sleeps until a key wakes it.
  mutating func closeLost() {
    guard let end = endOfLoss, now.milliseconds >= end, let loss, let alert = form?.alert else { return }
    let words = loss.words(list: key(.waiting), visible)
    report = Report(text: "\(visible(alert.summary)) \(words).")
    form = nil
    revision += 1
    absentSince = prompt.lastInput
  }
}

extension Desk {
  /// The reason why the open form was withdrawn; `nil` if it was not. The store might not show yet that the request was
  /// set aside elsewhere.
  var loss: AlertLoss? {
    guard form?.isWithdrawn == true, let form else { return nil }
    if form.isAnsweredInAgent { return .answeredInAgent }
    if let other = form.otherAnswer { return .answered(other) }
    if form.isUnbacked { return .brokerGone }
    return leftItem.map { $0.isSetAside ? .setAside : .waitsElsewhere } ?? .ended
  }
}
