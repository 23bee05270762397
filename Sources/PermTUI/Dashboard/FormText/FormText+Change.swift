import PermModel

extension FormText {
  func facts(of change: DecisionDraft) -> [TextLine] {
    let path = change.subject.path.map { typesetter.visible(HomeFolder.shortened($0)) }
    let program = path ?? "not seen yet; the first of this name"
    return what(change) + fact("Program", program) + now(change) + rest(change)
  }

  /// The line that says that an allow would have no effect at once.
  private func rest(_ change: DecisionDraft) -> [TextLine] {
    guard let obstacle = change.rest(of: form.atoms(.allow), for: form.lifetime) else { return [] }
    let words = typesetter.visible(obstacle.words)
    let sentence = words.prefix(1).uppercased() + words.dropFirst()
    return fact("Careful", "\(sentence), and is asked about each time.", Style(.attention))
  }

  /// Returns the question in the form, for example `May backup read your photos?`
  func question(of change: DecisionDraft) -> [TextLine] {
    let label = typesetter.visible(change.subject.name)
    return hanging("May \(label)", " \(typesetter.visible(change.action(form.chosen)))?", Style(bold: true))
  }

  private func what(_ change: DecisionDraft) -> [TextLine] {
    let title = typesetter.visible(change.capability.title)
    let what = fact(
      "What", "\(title): \(typesetter.visible(form.chosen?.title ?? ""))", note: chooses(change))
    return change.capability.choices.count > 1 || form.chosen?.atoms.contains { $0.scope != .any } == true
      ? what : fact("What", title)
  }

  private func chooses(_ change: DecisionDraft) -> TextLine.Span? {
    change.choices.count > 1 ? TextLine.Span("\(desk.key(.narrow)) chooses", .muted) : nil
  }

  private func now(_ change: DecisionDraft) -> [TextLine] {
    guard let row = change.current else { return fact("Now", "not decided") }
    let decided = "decided \(desk.short(row.decidedAt)) \(desk.byAuthor(of: row))"
    let value = "\(row.verdict.past) \(row.lifetime.words(desk.short)), \(decided)"
    let note = row.note.map { fact("Note", "\" \(typesetter.visible($0)) \"") } ?? []
    return fact("Now", value, Style(row.verdict == .allow ? .allowed : .denied)) + note
  }
}
