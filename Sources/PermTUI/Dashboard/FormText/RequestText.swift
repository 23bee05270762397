import PermModel

/// The facts of a request, in their fixed order.
struct RequestText {
  private let text: FormText
  private let alert: RequestAlert
  private let request: Request
  private let form: Form
  private let typesetter: Typesetter

  init(_ text: FormText, _ alert: RequestAlert) {
    self.text = text
    self.alert = alert
    request = alert.request
    form = text.form
    typesetter = text.typesetter
  }

  var lines: [TextLine] {
    what + name + seen + started + company + reason + suggestion + before + others + times + care
  }

  /// `backup asks to read your photos`, the foreign part set apart.
  var sentence: [TextLine] {
    let label = typesetter.visible(VisibleText.framed(request.subject.label))
    let words = " asks to \(typesetter.visible(alert.action))"
    let verb = form.isWithdrawn ? past : words
    if isAnotherProgram { return warning(label + verb) }
    if typesetter.width(of: label + verb) <= text.width {
      return [TextLine(label, Style(.accent, bold: true)).adding(verb, Style(bold: true))]
    }
    return typesetter.wrap(label + verb, to: text.width).map { TextLine($0, Style(bold: true)) }
  }

  private var isAnotherProgram: Bool {
    if case .mismatch = alert.identity { !form.isWithdrawn } else { false }
  }

  /// The sentence of a program that borrows a name, which says so before all else is read.
  private func warning(_ sentence: String) -> [TextLine] {
    let words = "It is another program, not the one that you know by this name."
    return (typesetter.wrap(sentence, to: text.width) + typesetter.wrap(words, to: text.width))
      .map { TextLine($0, Style(.denied, bold: true)) }
  }

  private var past: String {
    form.isUnbacked
      ? " asked, and will be shown again if it still waits" : " asked, and does not wait any more"
  }

  private var what: [TextLine] {
    let choice = form.chosen?.title ?? alert.title
    let title = typesetter.visible(alert.title)
    var value = choice == alert.title ? title : "\(title): \(typesetter.visible(choice))"
    // What is explained is all that was asked for.
    value += form.choice == 0 ? ". \(typesetter.visible(alert.explanation))" : "."
    var lines = text.fact("What", value, note: form.choices.count > 1 && !form.isWithdrawn ? narrows : nil)
    if form.choice > 0 {
      lines += text.fact(
        "", "Less than was asked for: \(typesetter.visible(form.choices[0].title)).", Style(.attention))
    }
    return lines
  }

  private var narrows: TextLine.Span {
    let key = text.state.surroundings.keys.key(for: .narrow)?.description ?? ""
    return TextLine.Span(text: "\(key) narrows it", style: Style(.muted))
  }

  private var name: [TextLine] {
    let label = typesetter.visible(request.subject.label)
    let lines = text.fact("Name", "\" \(label) \"", note: identity)
    switch alert.identity {
    case .mismatch(let path):
      return lines
        + text.fact(
          "", "Under this name you knew another program: \(typesetter.visible(path))",
          Style(.denied, bold: true))
    case .replaced: return lines + text.fact("", replacement, Style(.attention))
    default: return lines
    }
  }

  /// What became of the file that was seen before.
  private var replacement: String {
    let birth = request.subject.file?.birth ?? 0
    let moment = Timestamp(microseconds: birth / 1000)
    let clock = text.state.surroundings.clock
    let when = birth > 0 ? " \(clock.short(moment, now: text.state.now.wall))" : ""
    return
      "This file was replaced\(when): an editor, an update, or somebody else. Your answer replaces the old one."
  }

  private var identity: TextLine.Span {
    switch alert.identity {
    case .inProcess: TextLine.Span(text: "· in this process", style: Style(.muted))
    case .asSeen: TextLine.Span(text: "✓ as seen", style: Style(.allowed))
    case .firstTime: TextLine.Span(text: "· first time", style: Style(.muted))
    case .onlyDenied: TextLine.Span(text: "· only denied so far", style: Style(.muted))
    case .replaced: TextLine.Span(text: "! replaced", style: Style(.attention, bold: true))
    case .mismatch: TextLine.Span(text: "! another program", style: Style(.denied, bold: true))
    case .lookAlike: TextLine.Span(text: "! not the name you know", style: Style(.denied, bold: true))
    case .fileless, .unknown: TextLine.Span(text: "! cannot be told", style: Style(.denied, bold: true))
    }
  }

  private var seen: [TextLine] {
    let doubts = alert.doubts.flatMap { text.fact("Doubt", typesetter.visible($0), Style(.denied)) }
    guard let evidence = request.evidence else {
      return text.fact("Seen", "inside this very process") + doubts
    }
    var value = typesetter.visible(evidence.program)
    if let interpreter = evidence.interpreter { value += ", run by \(typesetter.visible(interpreter))" }
    value += ", pid \(evidence.process.pid)"
    if evidence.isSandboxed { value += ", in a sandbox" }
    return text.fact("Seen", value) + doubts
  }

  private var started: [TextLine] {
    guard let evidence = request.evidence else { return [] }
    var parts: [String] = []
    if !evidence.chain.isEmpty {
      parts.append(evidence.chain.map(typesetter.visible).joined(separator: " > "))
    }
    if let terminal = evidence.terminal { parts.append("on \(typesetter.visible(terminal))") }
    if let folder = evidence.workingDirectory { parts.append("in \(typesetter.visible(folder))") }
    return parts.isEmpty ? [] : text.fact("Started", parts.joined(separator: ", "))
  }

  private var company: [TextLine] {
    alert.company.map { text.fact("Asked", $0, Style(.attention)) } ?? []
  }

  private var others: [TextLine] {
    alert.reachWords.map { text.fact("Others", $0, Style(.attention)) } ?? []
  }

  private var reason: [TextLine] {
    guard let reason = request.reason, !reason.isEmpty else {
      return text.fact("Reason", "none given", Style(.muted))
    }
    return text.fact("Reason", "\" \(typesetter.visible(reason)) \"")
  }

  private var suggestion: [TextLine] {
    guard let suggested = request.suggestedLifetime else { return [] }
    let words = suggested.words(
      request.evidence, clock: text.state.surroundings.clock, now: text.state.now.wall)
    return text.fact("Suggests", words, note: TextLine.Span(text: "you choose below", style: Style(.muted)))
  }

  private var before: [TextLine] {
    let history = alert.history
    guard history.allowed + history.denied > 0 else { return text.fact("Before", "never answered before") }
    var value = "allowed \(times(history.allowed)), denied \(history.denied)"
    if let last = history.last {
      value += "; last \(text.state.surroundings.clock.short(last, now: text.state.now.wall))"
    }
    return text.fact("Before", value)
  }

  /// Where the frame has no room for them.
  private var times: [TextLine] { text.isNarrow ? text.fact("Times", text.state.times(of: request)) : [] }

  private func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  private var care: [TextLine] {
    guard let word = form.requiredWord else { return [] }
    return text.fact(
      "Careful", "A wrong yes does great harm. Allowing takes the word \(word).", Style(.attention))
  }
}

extension State {
  /// `asked 14:03:05, gives up 14:05:05`.
  func times(of request: Request) -> String {
    let asked = "asked \(surroundings.clock.exact(request.askedAt, now: now.wall))"
    guard let end = request.givesUpAt else { return asked }
    return "\(asked), gives up \(surroundings.clock.exact(end, now: now.wall))"
  }
}
