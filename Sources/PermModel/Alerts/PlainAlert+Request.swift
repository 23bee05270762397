extension PlainAlert {
  func lines(of alert: RequestAlert) -> [String] {
    let facts = RequestFacts(
      alert, choice: choice, cover: cover, lifetime: preset?.lifetime, visible: { VisibleText.escaped($0) },
      quoted: { VisibleText.quoted($0) },
      moment: moment, exact: moment, place: place)
    let (who, asks) = facts.sentence
    var lines = ["\(who)\(asks)."] + [facts.warning].compactMap(\.self) + facts.all.map(\.line)
    if let preset { return lines + ["Answer: \(words(of: preset, alert))", howToConfirm(preset, alert)] }
    lines += keeping(alert)
    if alert.choices.count > 1 { lines += numbered("Only", alert.choices.map { ($0.title, nil) }) }
    if let note { lines.append("Note: \"\(VisibleText.escaped(note))\"") }
    return lines + meaning(alert) + [howToAnswer]
  }

  func howToAnswer(_ alert: RequestAlert) -> String {
    if let preset { return howToConfirm(preset, alert) }
    let allow = word(.once, alert).map { "allow \($0)" } ?? "allow"
    let words = isInDashboard ? "\(allow), deny, later or mute" : "\(allow) or deny"
    let keeps = alert.lifetimes.count > 1 ? " \(allow) 2 keeps the answer as in line 2." : ""
    let narrows = alert.choices.count > 1 ? " only 2 narrows it." : ""
    let widens = alert.covers.indices.contains(cover + 1) ? " wider covers more." : ""
    let rest = isInDashboard ? " note TEXT adds a note. help explains the words." : ""
    return "Type \(words).\(keeps)\(narrows)\(widens)\(cover > 0 ? " back covers less." : "")\(rest)"
  }

  /// Returns the word that an allow of the chosen parts and scope takes; `nil` if it takes none.
  private func word(_ lifetime: LifetimeChoice, _ alert: RequestAlert) -> String? {
    alert.typedWord(for: atoms(.allow, alert), lifetime: lifetime)
  }

  // MARK: Facts

  private func meaning(_ alert: RequestAlert) -> [String] {
    guard isInDashboard else { return [] }
    return [
      "Stores: for this request, only a journal line; for longer, the answer, and nothing asks until it ends.",
      "Undo: the word undo takes a kept answer back, but not what a program did meanwhile.",
    ]
  }

  private func keeping(_ alert: RequestAlert) -> [String] {
    guard let command = alert.keepCommand else {
      return numbered(
        "Keep for", alert.lifetimes(cover: cover).map { (words(of: $0.choice, alert), $0.limit) })
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
  /// Returns the words that the person must type to confirm an answer.
  private func confirmation(of answer: Answer, _ alert: RequestAlert) -> [String] {
    let word = alert.typedWord(for: answer.atoms, lifetime: answer.lifetime)
    return answer.verdict == .deny ? ["deny"] : ["allow", word].compactMap(\.self)
  }

  private func howToConfirm(_ answer: Answer, _ alert: RequestAlert) -> String {
    let words = confirmation(of: answer, alert).joined(separator: " ")
    let harm = answer.verdict == .allow ? alert.word(for: answer.atoms, lifetime: answer.lifetime) : nil
    return
      "\(harm.map { "If you allow this, \(VisibleText.escaped($0.consequence)). " } ?? "")Type \(VisibleText.escaped(words)) to answer. Anything else answers nothing."
  }

  private func words(of answer: Answer, _ alert: RequestAlert) -> String {
    let note = answer.note.map { ", with the note \"\(VisibleText.escaped($0))\"" } ?? ""
    let held =
      answer.lifetime == .once ? "this request only" : "kept for: \(words(of: answer.lifetime, alert))"
    return "\(answer.verdict.rawValue), \(held)\(note)"
  }

  private func words(of lifetime: LifetimeChoice, _ alert: RequestAlert) -> String {
    lifetime.words(of: alert.request.evidence, moment)
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
    case "wider" where words.count == 1: return moveCover(by: 1, alert)
    case "back" where words.count == 1: return moveCover(by: -1, alert)
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

  private mutating func moveCover(by distance: Int, _ alert: RequestAlert) -> Reply {
    guard alert.covers.indices.contains(cover + distance) else {
      return .refused(CoverOffer.isLast(goingWider: distance > 0))
    }
    cover += distance
    return .again
  }

  private func answer(
    _ verdict: Verdict, _ words: [String], _ alert: RequestAlert, mutes: Bool = false
  ) -> Reply {
    var rest = Array(words.dropFirst())
    let word = verdict == .allow ? word(.forever, alert) : nil
    let place = word.flatMap { rest.firstIndex(of: $0) }
    if let place { rest.remove(at: place) }
    guard rest.count <= 1 else { return .refused("One word and a number at most: allow 2.") }
    let lifetimes = alert.lifetimes(cover: cover)
    let number = rest.first.map { Int($0) ?? 0 } ?? 1
    guard number > 0, number <= lifetimes.count else {
      return .refused("There is no line \(VisibleText.escaped(rest.first ?? "")) under \"Keep for\".")
    }
    let offer = lifetimes[number - 1]
    if let reason = offer.reason(against: verdict) {
      return .refused("It is off: \(VisibleText.escaped(reason)).")
    }
    if verdict == .allow, place == nil, let word = self.word(offer.choice, alert) {
      return .refused("Allowing this takes its word: allow \(word).")
    }
    return .response(
      .answered(
        Answer(verdict, atoms: atoms(verdict, alert), lifetime: offer.choice, note: note, mutes: mutes)))
  }

  /// Returns the atoms that an answer applies to. A denial applies to all parts that were asked for.
  private func atoms(_ verdict: Verdict, _ alert: RequestAlert) -> Set<Atom> {
    alert.atoms(choice: verdict == .allow ? choice : 0, cover: cover)
  }
}

extension LifetimeOffer {
  /// The restriction on choosing the lifetime, with its reason; `nil` if there is no restriction.
  var limit: String? {
    disabledReason.map { "off: \($0)" } ?? denialOnlyReason.map { "deny only: \($0)" }
  }
}
