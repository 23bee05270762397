import PermModel

extension FormText {
  /// The smallest width of a form that lists all lifetimes.
  private static let narrowest = 48

  /// The lines with the choices, and the line that is being typed. They never scroll.
  var choices: [TextLine] {
    (offersLifetimes ? keepFor : []) + entryLines
  }

  /// The lines that explain the consequences of the current choice.
  var consequences: [TextLine] {
    offersLifetimes ? off + meaning : []
  }

  /// Whether a lifetime can be chosen. In a withdrawn form, none matters any longer.
  private var offersLifetimes: Bool { !form.lifetimes.isEmpty && !form.isWithdrawn }

  /// The chosen lifetime alone, for screens that do not have enough space for all of them.
  private var chosenLifetime: TextLine {
    let offer = offer(form.keepFor)
    return TextLine("Keep ", Style(.muted)).adding(offer.text, offer.style)
      .adding("   1-\(form.lifetimes.count)", Style(.muted))
  }

  private var keepFor: [TextLine] {
    if area.isLow || width < Self.narrowest { return [chosenLifetime] }
    let label = isNarrow ? 5 : valueColumn
    let offers = form.lifetimes.indices.map(offer)
    let room = width - label
    let widths =
      offerWidths(offers, columns: 3, room: room) ?? offerWidths(offers, columns: 2, room: room) ?? [room]
    return stride(from: 0, to: offers.count, by: widths.count).map { start in
      var line = TextLine(
        typesetter.pad(start > 0 ? "" : isNarrow ? "Keep" : "Keep for", to: label), Style(.muted))
      for (offer, width) in zip(offers[start...], widths) {
        line = line.adding(typesetter.pad(offer.text, to: width), offer.style)
      }
      return line
    }
  }

  /// Returns the column widths for showing the offers in the given number of columns; `nil` if they do not fit.
  private func offerWidths(_ offers: [TextLine.Span], columns: Int, room: Int) -> [Int]? {
    let gap = isNarrow ? 1 : 3
    let widths = (0..<columns).map { column in
      stride(from: column, to: offers.count, by: columns).map { typesetter.width(of: offers[$0].text) + gap }
        .max() ?? 0
    }
    return widths.reduce(0, +) - gap <= room ? widths : nil
  }

  private func offer(_ place: Int) -> TextLine.Span {
    let offer = form.lifetimes[place]
    let isChosen = place == form.keepFor
    let pressed = desk.pressedCommand
    let isPressed =
      pressed == Command.keepFor[place] || pressed == .keepSuggested && place == form.suggestedKeep
    let number = isPressed ? ">\(place + 1)<" : isChosen ? "(\(place + 1))" : " \(place + 1) "
    let evidence = form.request?.request.evidence
    var words = offer.choice.words(of: evidence, desk.short)
    if isNarrow, words.hasPrefix("until ") { words.removeFirst("until ".count) }
    let style = Style(
      isChosen ? .accent : .normal, bold: isChosen, dim: offer.disabledReason != nil)
    return TextLine.Span(text: "\(number) \(words)", style: style)
  }

  /// The lines that explain why some lifetimes are unavailable, or available only for a denial. Neighbouring lifetimes
  /// with the same reason share one entry.
  private var off: [TextLine] {
    limits("Off", \.disabledReason) + limits("No allow", \.denialOnlyReason)
  }

  private func limits(_ name: String, _ reason: (LifetimeOffer) -> String?) -> [TextLine] {
    var groups: [(first: Int, last: Int, reason: String)] = []
    for (place, offer) in form.lifetimes.enumerated() {
      guard let reason = reason(offer) else { continue }
      if let last = groups.last, last.reason == reason, last.last == place - 1 {
        groups[groups.count - 1].last = place
      } else {
        groups.append((place, place, reason))
      }
    }
    let words = groups.map { group in
      let numbers = group.first == group.last ? "\(group.first + 1)" : "\(group.first + 1)-\(group.last + 1)"
      return "\(numbers): \(typesetter.visible(group.reason))"
    }
    return words.isEmpty ? [] : fact(name, words.joined(separator: "; "), Style(.muted))
  }

  /// The line that says what an answer keeps, and how that ends.
  private var meaning: [TextLine] {
    let choice = form.lifetimes[form.keepFor].choice
    if choice == .once {
      return fact("Keeps", "nothing: the next request asks again. This one cannot be undone")
    }
    let words = typesetter.visible(choice.words(of: form.request?.request.evidence, desk.short))
    let time = (choice.isSpan ? "for " : "") + words
    let machine = form.alert.flatMap(desk.place)?.name
    let end = machine.map { "on \($0), permtui undo ends that" } ?? "\(desk.key(.undo)) ends that"
    if runsUnasked {
      return fact("Keeps", "a yes runs again without asking \(time); \(end)", Style(.attention))
    }
    return fact("Keeps", "the answer \(time); \(end)")
  }

  /// Whether an allow lets commands run again without asking, and takes no word that would say so.
  private var runsUnasked: Bool {
    let runs = form.atoms(.allow).contains { ["commands", "code"].contains($0.capability) }
    return runs && form.harm == nil && form.lifetimes[form.keepFor].reason(against: .allow) == nil
  }

  private var entryLines: [TextLine] {
    var lines: [TextLine] = []
    if form.entry == .note || !form.note.isEmpty {
      lines.append(entryLine("Note", form.note, isFocused: form.entry == .note))
    }
    if form.entry == .typedWord {
      let word = typesetter.visible(form.wordToType)
      lines.append(entryLine("Type \(word) to go on:", form.typedWord, isFocused: true))
    }
    return lines
  }

  /// Returns a line that is being typed. Its end is always shown. If its start is cut off, a mark says so.
  private func entryLine(_ name: String, _ field: TextField, isFocused: Bool) -> TextLine {
    let label = typesetter.pad(name, to: max(valueColumn, typesetter.width(of: name) + 1))
    let room = width - typesetter.width(of: label) - 1
    var line = TextLine(label, Style(.muted))
      .adding(typesetter.cutStart(typesetter.visible(field.text), to: room), Style(underline: isFocused))
    line.isEntry = isFocused
    return line
  }
}

extension Desk {
  var pressedCommand: Command? {
    guard let form, let key = prompt.pressed else { return nil }
    return context.keys.command(for: key, in: form.context)
  }

  /// The reason why keys have no effect now, or why the last key presses had no effect.
  var promptHint: String? {
    if let hint = presence.hint { return hint }
    if prompt.isAsleep { return "Paused: press any key." }
    switch prompt.complaint {
    case .tooEarly: return "Not yet: keys count once the button lights up."
    case .held: return "A key that is held down has no effect."
    case .mixed: return "Different keys came together, so none of them counts."
    case nil: return nil
    }
  }
}
