import PermModel

/// The facts of a request, laid out for the screen.
struct RequestText {
  private let text: FormText
  private let facts: RequestFacts

  init(_ text: FormText, _ alert: RequestAlert) {
    self.text = text
    let desk = text.desk
    let visible = { (text: String) in desk.typesetter.visible(text) }
    // The frame shows the times if it has room for them.
    let exact: ((Timestamp) -> String)? = text.isNarrow ? { desk.exact($0) } : nil
    facts = RequestFacts(
      alert, choice: text.form.choice, visible: visible, quoted: { "\" \(visible($0)) \"" },
      moment: { desk.short($0) }, exact: exact)
  }

  var lines: [TextLine] {
    facts.all.flatMap { fact in
      text.fact(
        fact.heading, fact.text, Style(fact.role), note: fact.heading == "What" ? narrows : sign(fact))
    }
  }

  /// The request in a sentence, `backup asks to read your photos`, with the foreign part set apart.
  var sentence: [TextLine] {
    let (who, asks) = facts.sentence
    let typesetter = text.typesetter
    let verb = text.form.isWithdrawn ? past : asks
    if let warning = facts.warning, !text.form.isWithdrawn {
      return [who + verb, warning].flatMap { typesetter.wrap($0, to: text.width) }
        .map { TextLine($0, Style(.denied, bold: true)) }
    }
    if typesetter.width(of: who + verb) <= text.width {
      return [TextLine(who, Style(.accent, bold: true)).adding(verb, Style(bold: true))]
    }
    return typesetter.wrap(who + verb, to: text.width).map { TextLine($0, Style(bold: true)) }
  }

  private var past: String {
    text.form.isUnbacked
      ? " asked, and will be shown again if it still waits" : " asked, and is no longer waiting"
  }

  private var narrows: TextLine.Span? {
    guard text.form.choices.count > 1, !text.form.isWithdrawn else { return nil }
    let key = text.desk.key(.narrow)
    return TextLine.Span(text: "\(key) narrows it", style: Style(.muted))
  }

  private func sign(_ fact: RequestFacts.Fact) -> TextLine.Span? {
    fact.identity.map { identity in
      switch identity.role {
      case .good: TextLine.Span(text: "✓ \(identity.words)", style: Style(identity.role))
      case .normal, .muted: TextLine.Span(text: "· \(identity.words)", style: Style(identity.role))
      case .attention, .bad:
        TextLine.Span(text: "! \(identity.words)", style: Style(identity.role, bold: true))
      }
    }
  }
}

extension Style {
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
