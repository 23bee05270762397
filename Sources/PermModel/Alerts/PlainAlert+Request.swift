/// Requests line by line.
extension PlainAlert {
  func lines(of alert: RequestAlert) -> [String] {
    let label = VisibleText.escaped(VisibleText.framed(alert.request.subject.label))
    var lines = warning(alert) + ["\(label) asks to \(VisibleText.escaped(alert.action))."]
    lines += what(alert) + who(alert)
    if let company = alert.company { lines.append("Asked: \(company)") }
    lines += why(alert)
    if let others = alert.reachWords { lines.append("Others: \(others)") }
    lines += times(alert.request)
    if let word = alert.typedWord {
      lines.append("Careful: a wrong yes does great harm. Allowing takes the word \(word).")
    }
    if let preset { return lines + ["Answer: \(words(of: preset, alert))", howToConfirm(preset, alert)] }
    lines += keeping(alert)
    if alert.choices.count > 1 { lines += numbered("Only", alert.choices.map { ($0.title, nil) }) }
    if let note { lines.append("Note: \"\(VisibleText.escaped(note))\"") }
    return lines + meaning(alert) + [howToAnswer]
  }

  func howToAnswer(_ alert: RequestAlert) -> String {
    if let preset { return howToConfirm(preset, alert) }
    let allow = alert.typedWord.map { "allow \($0)" } ?? "allow"
    let words = isInDashboard ? "\(allow), deny or later" : "\(allow) or deny"
    let keeps = alert.lifetimes.count > 1 ? " \(allow) 2 keeps the answer as in line 2." : ""
    let narrows = alert.choices.count > 1 ? " only 2 narrows it." : ""
    return "Type \(words).\(keeps)\(narrows)"
  }

  // MARK: Facts

  private func what(_ alert: RequestAlert) -> [String] {
    let title = VisibleText.escaped(alert.title)
    let chosen = alert.choices.indices.contains(choice) ? alert.choices[choice].title : alert.title
    let what = chosen == alert.title ? title : "\(title): \(VisibleText.escaped(chosen))"
    let whole = "What: \(what). \(VisibleText.escaped(alert.explanation))"
    guard choice > 0 else { return [whole] }
    return [
      "What: \(what).", "Less than was asked for: \(VisibleText.escaped(alert.choices[0].title)).",
    ]
  }

  /// What must be read before all else: another program borrows a name.
  private func warning(_ alert: RequestAlert) -> [String] {
    guard case .mismatch = alert.identity else { return [] }
    return ["Careful: another program uses a name that you know."]
  }

  private func who(_ alert: RequestAlert) -> [String] {
    let label = VisibleText.quoted(alert.request.subject.label)
    let name = "Name: \(label), \(alert.identity.words)"
    let doubts = alert.doubts.map { "Doubt: \(VisibleText.escaped($0))" }
    guard let evidence = alert.request.evidence else { return [name] + doubts }
    var seen = "Seen: \(VisibleText.escaped(evidence.program))"
    if let interpreter = evidence.interpreter { seen += ", run by \(VisibleText.escaped(interpreter))" }
    seen += ", pid \(evidence.process.pid)\(evidence.isSandboxed ? ", in a sandbox" : "")"
    return [name, seen] + doubts + started(evidence)
  }

  private func started(_ evidence: Evidence) -> [String] {
    let chain = evidence.chain.map { VisibleText.escaped($0) }.joined(separator: " > ")
    let parts = [
      chain.isEmpty ? nil : chain, evidence.terminal.map { "on \(VisibleText.escaped($0))" },
      evidence.workingDirectory.map { "in \(VisibleText.escaped($0))" },
    ].compactMap { $0 }
    return parts.isEmpty ? [] : ["Started: \(parts.joined(separator: ", "))"]
  }

  private func why(_ alert: RequestAlert) -> [String] {
    let reason = alert.request.reason.map { "\"\(VisibleText.escaped($0))\"" } ?? "none given"
    let history = alert.history
    let lines = ["Reason: \(reason)"] + suggestion(alert.request)
    guard history.allowed + history.denied > 0 else { return lines + ["Before: never answered"] }
    let last = history.last.flatMap { last in moment.map { "; last \($0(last))" } } ?? ""
    return lines + ["Before: allowed \(times(history.allowed)), denied \(times(history.denied))\(last)"]
  }

  private func suggestion(_ request: Request) -> [String] {
    guard let suggested = request.suggestedLifetime else { return [] }
    return ["Suggests keeping the answer for: \(words(of: suggested))"]
  }

  private func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  private func times(_ request: Request) -> [String] {
    guard let moment else { return [] }
    let end = request.givesUpAt.map { ", gives up \(moment($0))" } ?? ""
    return ["Times: asked \(moment(request.askedAt))\(end)"]
  }

  private func meaning(_ alert: RequestAlert) -> [String] {
    guard isInDashboard else { return [] }
    return [
      "Stores: kept for this request, only a journal line. Kept longer, the answer; until it ends, nothing asks again.",
      "Undo: the word undo takes a kept answer back; what was done on it stays done.",
    ]
  }

  private func keeping(_ alert: RequestAlert) -> [String] {
    guard let command = alert.keepCommand else {
      return numbered("Keep for", alert.lifetimes.map { ($0.choice.plainWords, $0.limit) })
    }
    return ["Stores: only a journal line. To keep an answer: \(VisibleText.escaped(command))"]
  }

  private func numbered(_ title: String, _ offers: [(words: String, limit: String?)]) -> [String] {
    offers.enumerated().map { index, offer in
      let reason = offer.limit.map { " (\(VisibleText.escaped($0)))" } ?? ""
      return "\(title) \(index + 1): \(VisibleText.escaped(offer.words))\(reason)"
    }
  }
}

// MARK: - Confirming

extension PlainAlert {
  /// What is typed to confirm an answer.
  private func confirmation(of answer: Answer, _ alert: RequestAlert) -> [String] {
    answer.verdict == .deny ? ["deny"] : ["allow", alert.typedWord].compactMap(\.self)
  }

  private func howToConfirm(_ answer: Answer, _ alert: RequestAlert) -> String {
    let words = confirmation(of: answer, alert).joined(separator: " ")
    return "Type \(VisibleText.escaped(words)) to answer. Anything else answers nothing."
  }

  private func words(of answer: Answer, _ alert: RequestAlert) -> String {
    let note = answer.note.map { ", with the note \"\(VisibleText.escaped($0))\"" } ?? ""
    let held = answer.lifetime == .once ? "this request only" : "kept for: \(words(of: answer.lifetime))"
    return "\(answer.verdict.rawValue), \(held)\(note)"
  }

  private func words(of lifetime: LifetimeChoice) -> String {
    if case .until(let end) = lifetime, let moment { return "until \(moment(end))" }
    return lifetime.plainWords
  }
}

// MARK: - Replies

extension PlainAlert {
  mutating func take(_ words: [String], _ line: String, _ alert: RequestAlert) -> Reply {
    if let preset {
      return words == confirmation(of: preset, alert) ? .response(.answered(preset)) : .response(.dismissed)
    }
    switch words[0] {
    case "allow": return answer(.allow, words, alert)
    case "deny": return answer(.deny, words, alert)
    case "mute" where isInDashboard: return answer(.deny, words, alert, mutes: true)
    case "later" where isInDashboard && words.count == 1: return .response(.setAside)
    case "only": return narrow(words, alert)
    case "note":
      let text = String(String(line.trimmed.dropFirst("note".count)).trimmed)
      note = text.isEmpty ? nil : text
      return .again
    default: return .refused("\(howToAnswer) An empty line shows the request again.")
    }
  }

  private mutating func narrow(_ words: [String], _ alert: RequestAlert) -> Reply {
    guard !alert.choices.isEmpty, words.count == 2, let number = Int(words[1]),
      (1...alert.choices.count).contains(number)
    else {
      return .refused("only takes a number from 1 to \(alert.choices.count).")
    }
    choice = number - 1
    return .again
  }

  private func answer(
    _ verdict: Verdict, _ words: [String], _ alert: RequestAlert, mutes: Bool = false
  ) -> Reply {
    var rest = Array(words.dropFirst())
    if verdict == .allow, let word = alert.typedWord {
      guard let place = rest.firstIndex(of: word) else {
        return .refused("Allowing this takes its word: allow \(word).")
      }
      rest.remove(at: place)
    }
    guard rest.count <= 1 else { return .refused("One word and a number at most: allow 2.") }
    let number = rest.first.map { Int($0) ?? 0 } ?? 1
    guard number > 0, number <= alert.lifetimes.count else {
      return .refused("There is no line \(VisibleText.escaped(rest.first ?? "")) under \"Keep for\".")
    }
    let offer = alert.lifetimes[number - 1]
    if let reason = offer.reason(against: verdict) {
      return .refused("It is off: \(VisibleText.escaped(reason)).")
    }
    return .response(
      .answered(
        Answer(verdict, atoms: atoms(verdict, alert), lifetime: offer.choice, note: note, mutes: mutes)))
  }

  /// Denying denies all that was asked for.
  private func atoms(_ verdict: Verdict, _ alert: RequestAlert) -> Set<Atom> {
    guard verdict == .allow, alert.choices.indices.contains(choice) else { return alert.request.atoms }
    return alert.choices[choice].atoms
  }
}

extension IdentityCheck {
  /// Follows what the program calls itself, for example `as seen before`.
  package var words: String {
    switch self {
    case .inProcess: "in this process"
    case .asSeen: "as seen before"
    case .firstTime: "never seen before"
    case .onlyDenied: "seen before, and only ever denied"
    case .replaced: "BUT its file was replaced since it was seen"
    case .mismatch(let path): "BUT \(VisibleText.escaped(path)) was seen under this name before"
    case .lookAlike(let label): "never seen before, and NOT \(VisibleText.quoted(label))"
    case .fileless, .unknown: "and it cannot be told which program it is"
    }
  }
}

extension LifetimeOffer {
  /// What it cannot be chosen for, and why.
  fileprivate var limit: String? {
    disabledReason.map { "off: \($0)" } ?? denialOnlyReason.map { "deny only: \($0)" }
  }
}

extension RequestAlert {
  /// The word that must be typed to allow it; `nil` where none is needed.
  public var typedWord: String? { severity == .severe ? request.capability : nil }
}

extension LifetimeChoice {
  /// For a list, for example `ten minutes`.
  var plainWords: String {
    switch self {
    case .once: "this request"
    case .process: "until the program ends"
    case .session: "until logout"
    case .duration(let duration): duration.words
    case .until: "until a date"
    case .forever: "forever"
    }
  }
}
