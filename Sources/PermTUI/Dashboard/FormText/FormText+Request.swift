import PermModel

extension FormText {
  func facts(of request: RequestAlert) -> [TextLine] {
    let facts = requestFacts(request).all(isFolded: !form.isUnfolded)
    let narrowed = facts.firstIndex { $0.heading == "What" } ?? 0
    return otherScreen + obstacle
      + facts.enumerated().flatMap { index, fact in
        lines(of: fact, note: index == narrowed ? narrows ?? note(fact) : note(fact))
      }
  }

  /// Returns what a request itself says, for a place in which it cannot be answered. What earlier answers say about the
  /// program is left out.
  func preview(of request: RequestAlert) -> [TextLine] {
    requestFacts(request).ofRequest.flatMap { lines(of: $0, note: nil) }
  }

  /// The reason why nothing can be answered on the machine of the alert.
  private var obstacle: [TextLine] {
    guard let obstacle = form.alert.flatMap(desk.obstacle) else { return [] }
    return wrapped(obstacle, Style(.denied, bold: true))
  }

  private var otherScreen: [TextLine] {
    guard form.isOnOtherScreen, !form.isWithdrawn else { return [] }
    return wrapped(Form.otherScreen, Style(.attention))
  }

  /// Whether the lines about the program are more than the one that is shown at first.
  var isFoldable: Bool { form.isOfRun || form.request.map { requestFacts($0).isFoldable } ?? false }

  private func lines(of fact: RequestFacts.Fact, note: TextLine.Span?) -> [TextLine] {
    let lines = plainLines(of: fact, note: note)
    return fact.dangers.isEmpty ? lines : lines.map { $0.underlining(fact.dangers) }
  }

  private func plainLines(of fact: RequestFacts.Fact, note: TextLine.Span?) -> [TextLine] {
    let style = fact.look == .machine ? machineStyle : Style(fact)
    guard let line = fact.place, line.count > 1 else {
      return self.fact(fact.heading, fact.text, style, note: note)
    }
    let number = String(line.number)
    let digits = String(repeating: " ", count: String(line.count).count - number.count) + number
    return self.fact(
      line.number == 1 ? fact.heading : "", fact.text, style, lead: "\(digits)  ", note: note)
  }

  private var machineStyle: Style { form.alert.map(desk.style(ofMachineOf:)) ?? .normal }

  /// Returns the request as a sentence, `backup asks to read your photos`. If the sentence fits on one line, the
  /// untrusted text from the program has its own style.
  func sentence(of request: RequestAlert) -> [TextLine] {
    let facts = requestFacts(request)
    let (who, asks) = facts.sentence
    let loss = desk.loss?.words(list: desk.key(.waiting), typesetter.visible)
    let verb = loss.map { " asked, and \($0)" } ?? asks
    if let warning = facts.warning, !form.isWithdrawn {
      let style = Style(.denied, bold: true)
      return hanging(who, verb, style) + wrapped(warning, style)
    }
    guard typesetter.width(of: who + verb) <= width else { return hanging(who, verb, Style(bold: true)) }
    return [TextLine(who, Style(.accent, bold: true)).adding(verb, Style(bold: true))]
  }

  private func requestFacts(_ request: RequestAlert) -> RequestFacts {
    // A wide form shows the exact times in its frame, so only a narrow form needs them among the facts.
    let exact: ((Timestamp) -> String)? = isNarrow ? { desk.exact($0) } : nil
    return RequestFacts(
      request, choice: form.choice, cover: form.cover, lifetime: form.lifetime, visible: typesetter.visible,
      quoted: { "\" \(typesetter.visible($0)) \"" }, moment: desk.short, exact: exact,
      place: form.alert.flatMap(desk.place), run: form.isUnfolded ? run(of: request.request) : nil)
  }

  /// The start of the run that makes a request, and the number of decisions that end with it; `nil` if the program that asks
  /// is not behind walls.
  private func run(of request: Request) -> RunKnowledge? {
    guard let evidence = request.evidence, evidence.walled != nil, form.alert?.isOfThisMachine != false else {
      return nil
    }
    return RunKnowledge(
      since: desk.context.booted.map { evidence.process.start(ofBootAt: $0) },
      kept: desk.data.kept(untilEndOf: evidence.process, for: request.subject))
  }

  private var narrows: TextLine.Span? {
    guard form.choices.count > 1, !form.isWithdrawn else { return nil }
    return TextLine.Span("\(desk.key(.narrow)) narrows it", .muted)
  }

  private func note(_ fact: RequestFacts.Fact) -> TextLine.Span? {
    if let wider = fact.wider, !form.isWithdrawn {
      return TextLine.Span("\(desk.key(.widen))  wider: \(wider)", .muted)
    }
    if let keeps = fact.keeps, !form.isWithdrawn {
      return TextLine.Span("\(desk.key(.keepSuggested)) keeps it \(keeps)", .accent)
    }
    return fact.note.map { words, role in
      switch role {
      case .normal: TextLine.Span(words, .muted)
      case .good: TextLine.Span(text: "✓ \(words)", style: Style(role))
      case .muted: TextLine.Span(text: "· \(words)", style: Style(role))
      case .attention, .bad: TextLine.Span(text: "! \(words)", style: Style(role, bold: true))
      }
    }
  }
}

extension Style {
  fileprivate init(_ fact: RequestFacts.Fact) {
    switch fact.look {
    case .words: self.init(fact.role)
    case .value: self.init(bold: true, reverse: true)
    case .added: self.init(.allowed)
    case .removed: self.init(.denied)
    case .title: self.init(.accent, bold: true)
    case .machine: self.init(bold: true)
    }
  }

  fileprivate init(_ role: RequestFacts.Role, bold: Bool = false) {
    let role: Role =
      switch role {
      case .normal: .normal
      case .muted: .muted
      case .good: .allowed
      case .attention: .attention
      case .bad: .denied
      }
    self.init(role, bold: bold)
  }
}
