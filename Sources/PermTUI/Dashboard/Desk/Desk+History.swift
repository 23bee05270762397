import PermModel

extension Desk {
  /// The age, in microseconds, from which a change is undone only after a confirmation.
  private static let longAgo: Int64 = 300_000_000

  /// Takes the changes that the status line names, or looks for the next change in that direction.
  ///
  /// - Parameter named: The changes that the status line names; empty if it names none.
  mutating func takeStep(_ step: HistoryStep, named: [DecisionChange.ID] = []) -> [Effect] {
    if let effects = walkDesktop(step) { return effects }
    guard let first = named.first, age(of: reportedAt) <= Self.longAgo else { return [.find(step)] }
    return [named.count == 1 ? .take(step, first) : .takeAll(step, named)]
  }

  /// The changes that a step would undo or redo, because the status line names them; empty if it names none.
  func named(for step: HistoryStep) -> [DecisionChange.ID] {
    guard let report else { return [] }
    let named = report.changes(for: step)
    return named.isEmpty && step == .undo && report.isUndoable ? [reportedChange].compactMap(\.self) : named
  }

  /// Takes the step if the person has just made this change in this dashboard. Otherwise, asks first.
  mutating func take(found preview: UndoPreview, _ step: HistoryStep) -> [Effect] {
    let effect = Effect.take(step, preview.change.id)
    if preview.origin == origin, preview.at >= openedAt, age(of: preview.at) <= Self.longAgo {
      return [effect]
    }
    guard form == nil else {
      report = Report(text: "Nothing was changed, because an alert came up.")
      return []
    }
    return ask(question(preview, step), before: effect, Report(text: ""))
  }

  /// Returns the time since a moment, in microseconds.
  private func age(of moment: Timestamp) -> Int64 {
    now.wall.microseconds.subtractingClamped(moment.microseconds)
  }

  private func question(_ preview: UndoPreview, _ step: HistoryStep) -> Confirmation {
    let verb = step == .undo ? "Undo" : "Redo"
    let author = preview.origin.map { $0 == origin ? "by you, here" : visible($0.phrase) } ?? "by nobody"
    let made = step == .undo ? "Made" : "Undone"
    let lines = sentences(of: preview.change).map { "· \($0)" }
    return Confirmation(
      title: "\(verb) this change?",
      message: (lines + ["\(made) \(exact(preview.at)) \(author)."]).joined(separator: "\n"), action: verb)
  }

  /// Describes each decision of a change, for example `denied camera for video-chat, forever`.
  private func sentences(of change: DecisionChange) -> [String] {
    let made = change.entries.filter { $0.after != nil }
    let decided = DecisionRow.rows(of: made.compactMap(\.after)).map { sentence(for: $0) }
    let removed = change.entries.filter { $0.after == nil }.compactMap(\.before)
    return decided + DecisionRow.rows(of: removed).map { "forgot \(sentence(for: $0))" }
  }

  /// Describes a step that was taken for several changes.
  func report(of changes: [DecisionChange], _ step: HistoryStep) -> Report {
    guard let last = changes.last else { return Report(text: "") }
    var report = report(of: DecisionChange(id: last.id, entries: changes.flatMap(\.entries)), step)
    report.changes = changes.map(\.id)
    return report
  }

  /// Describes a step that was taken.
  func report(of change: DecisionChange, _ step: HistoryStep) -> Report {
    let sentences = sentences(of: change)
    let more = sentences.count > 1 ? ", and \(sentences.count - 1) more" : ""
    let what = (sentences.first ?? "nothing") + more
    guard step == .undo else { return Report(text: "Redone: \(what).", isUndoable: true) }
    let hasTold = change.entries.contains { $0.after?.verdict == .allow }
    let warning = hasTold ? " A program that was told yes may still be running." : ""
    return Report(text: "Undone: \(what).\(warning)", isRedoable: true)
  }
}
