import PermModel

/// The facts of a decision that is being changed.
struct ChangeText {
  private let text: FormText
  private let change: DecisionDraft

  init(_ text: FormText, _ change: DecisionDraft) {
    self.text = text
    self.change = change
  }

  var lines: [TextLine] {
    what
      + text.fact(
        "Program", change.subject.path.map(text.typesetter.visible) ?? "not seen yet; the first of this name")
      + now
  }

  /// The question, for example `May backup read your photos?`
  var question: [TextLine] {
    let typesetter = text.typesetter
    let label = typesetter.visible(change.subject.label)
    let question = "May \(label) \(typesetter.visible(change.capability.action))?"
    return typesetter.wrap(question, to: text.width).map { TextLine($0, Style(bold: true)) }
  }

  private var what: [TextLine] {
    let choices = change.capability.choices
    let title = text.typesetter.visible(change.capability.title)
    guard choices.count > 1 else { return text.fact("What", title) }
    let key = text.desk.key(.narrow)
    return text.fact(
      "What", "\(title): \(text.typesetter.visible(text.form.chosen?.title ?? ""))",
      note: TextLine.Span(text: "\(key) chooses", style: Style(.muted)))
  }

  private var now: [TextLine] {
    guard let row = change.current else { return text.fact("Now", "not decided") }
    let desk = text.desk
    let decided = desk.short(row.decidedAt)
    let value =
      "\(row.verdict.past) \(row.lifetime.words(desk.short)), decided \(decided) \(desk.byAuthor(of: row))"
    let note = row.note.map { text.fact("Note", "\" \(text.typesetter.visible($0)) \"") } ?? []
    return text.fact("Now", value, Style(row.verdict == .allow ? .allowed : .denied)) + note
  }
}
