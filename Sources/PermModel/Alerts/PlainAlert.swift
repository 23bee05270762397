/// An alert line by line, for a terminal that is only written to and read from: the same facts in a fixed order,
/// and a typed word that answers.
public struct PlainAlert: Sendable {
  private let alert: Alert
  private let canSetAside: Bool
  private var choice = 0

  /// - Parameter canSetAside: Whether `later` is a word, because there is a way to come back to the alert.
  public init(_ alert: Alert, canSetAside: Bool) {
    self.alert = alert
    self.canSetAside = canSetAside
  }

  /// What a typed line means.
  public enum Reply: Hashable, Sendable {
    case response(AlertResponse)
    /// Show the alert again.
    case again
    /// The line means nothing here; why, and what would.
    case refused(String)
  }

  /// The alert's lines, foreign text escaped.
  public var lines: [String] {
    switch alert.content {
    case .request(let request): lines(of: request)
    case .confirmation(let confirmation):
      [confirmation.title, confirmation.message].filter { !$0.isEmpty }.map { VisibleText.escaped($0) } + [
        question(confirmation)
      ]
    case .notice(let notice):
      [notice.title, notice.message].filter { !$0.isEmpty }.map { VisibleText.escaped($0) } + ["Type ok."]
    }
  }

  /// Takes a typed line. An empty one shows the alert again.
  public mutating func take(_ line: String) -> Reply {
    let words = line.split(whereSeparator: \.isWhitespace).map { String($0) }
    guard let word = words.first else { return .again }
    switch alert.content {
    case .request(let request): return take(words, request)
    case .confirmation(let confirmation):
      if line.trimmed == confirmWord(confirmation) { return .response(.confirmed) }
      if word == refuseWord { return .response(.refused) }
      return .refused(question(confirmation))
    case .notice: return word == "ok" ? .response(.acknowledged) : .refused("Type ok.")
    }
  }

  private func question(_ confirmation: Confirmation) -> String {
    let action = VisibleText.escaped(confirmation.action)
    return "To \(action): type \(VisibleText.escaped(confirmWord(confirmation))). Else type \(refuseWord)."
  }

  private var refuseWord: String { "cancel" }

  private func confirmWord(_ confirmation: Confirmation) -> String { confirmation.typedWord ?? "confirm" }
}

// MARK: Requests

extension PlainAlert {
  private func lines(of alert: RequestAlert) -> [String] {
    let request = alert.request
    let label = VisibleText.escaped(request.subject.label)
    var lines = [
      "\(label) asks to \(VisibleText.escaped(alert.action)).", "What: \(alert.title): \(what(alert))",
    ]
    lines.append("Calls itself: \(label)\(identity(alert.identity))")
    if let evidence = request.evidence {
      lines.append("Seen: \(VisibleText.escaped(evidence.program)), pid \(evidence.process.pid)")
      lines.append("Started: \(evidence.chain.map { VisibleText.escaped($0) }.joined(separator: " > "))")
    }
    if let reason = request.reason { lines.append("Reason: \"\(VisibleText.escaped(reason))\"") }
    lines.append("Before: allowed \(alert.history.allowed) times, denied \(alert.history.denied)")
    lines += numbered("Keep for", alert.lifetimes.map { ($0.choice.plainWords, $0.disabledReason) })
    if alert.choices.count > 1 {
      lines += numbered("Only", alert.choices.map { ($0.title, nil) })
    }
    var hint = "Type \(wordsThatAnswer)."
    if alert.lifetimes.count > 1 { hint += " allow 2 keeps it as in line 2." }
    if alert.choices.count > 1 { hint += " only 2 narrows it." }
    lines.append(hint)
    return lines
  }

  private var wordsThatAnswer: String { canSetAside ? "allow, deny or later" : "allow or deny" }

  private func what(_ alert: RequestAlert) -> String {
    let title = alert.choices.indices.contains(choice) ? alert.choices[choice].title : alert.title
    return choice == 0 ? "\(title). \(alert.explanation)" : "only \(title)"
  }

  private func identity(_ check: IdentityCheck) -> String {
    switch check {
    case .inProcess: ", in this process"
    case .asSeen: ", as seen before"
    case .firstTime: ", never seen before"
    case .mismatch(let path): ", BUT \(VisibleText.escaped(path)) was seen under this name before"
    case .unknown: ", and it cannot be told which program it is"
    }
  }

  private func numbered(_ title: String, _ offers: [(words: String, disabled: String?)]) -> [String] {
    offers.enumerated().map { index, offer in
      let reason = offer.disabled.map { " (not here: \(VisibleText.escaped($0)))" } ?? ""
      return "\(title) \(index + 1): \(offer.words)\(reason)"
    }
  }

  private mutating func take(_ words: [String], _ alert: RequestAlert) -> Reply {
    let number = words.dropFirst().first.map { Int($0).map { $0 - 1 } ?? -1 }
    guard words.count <= 2 else { return .refused("One word and a number at most: allow 2.") }
    switch words[0] {
    case "later" where canSetAside && number == nil: return .response(.setAside)
    case "only":
      guard let number, alert.choices.indices.contains(number) else {
        return .refused("only takes a number from 1 to \(alert.choices.count).")
      }
      choice = number
      return .again
    case "allow", "deny":
      guard alert.lifetimes.indices.contains(number ?? 0) else {
        return .refused("There is no line \(words[1]) under \"Keep for\".")
      }
      let offer = alert.lifetimes[number ?? 0]
      if let reason = offer.disabledReason { return .refused("Not here: \(VisibleText.escaped(reason)).") }
      let verdict: Verdict = words[0] == "allow" ? .allow : .deny
      let atoms = alert.choices.indices.contains(choice) ? alert.choices[choice].atoms : alert.request.atoms
      return .response(.answered(Answer(verdict, atoms: atoms, lifetime: offer.choice)))
    default: return .refused("Type \(wordsThatAnswer); an empty line shows the request again.")
    }
  }
}

extension LifetimeChoice {
  /// For a list, for example `ten minutes`.
  var plainWords: String {
    switch self {
    case .once: "this request"
    case .process: "until the program ends"
    case .session: "until logout"
    case .duration(let duration):
      duration >= .seconds(3600)
        ? "\(duration.components.seconds / 3600) hours" : "\(duration.components.seconds / 60) minutes"
    case .until: "until a date"
    case .forever: "forever"
    }
  }
}
