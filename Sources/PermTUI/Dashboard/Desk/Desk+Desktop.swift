import PermModel

extension Desk {
  /// The age, in microseconds, from which a change is undone only after a confirmation.
  private static let longAgo: Int64 = 300_000_000

  /// Takes over what has changed in the desktop's store.
  mutating func take(_ news: [DesktopEntries.News]) {
    // The lists show what the rows say now, so they are made again only if rows came or went.
    if desktop.take(news) { revision += 1 }
  }

  /// The rows of a program. One that the desktop does not name shares its rows with others, so it has none.
  func desktopEntries(of program: Subject) -> [DesktopEntries.ID] {
    program.isVouched && !program.isNamelessApp ? desktop.ids(of: program.vouchedName) : []
  }

  /// Narrows a row. A row that allows nothing is widened, after a confirmation.
  mutating func change(_ id: DesktopEntries.ID) -> [Effect] {
    guard let before = desktop[id] else { return [] }
    guard let after = id.next(after: before) else {
      return say(
        id.isForeign
          ? "This row belongs to another service of the desktop, and is only shown."
          : "It is not known what else this row can say.")
    }
    let effect = Effect.changeDesktop(DesktopChange(id: id, before: before, after: after), nil)
    guard DesktopEntries.areDenials(before) else { return [effect] }
    let confirmation = Confirmation(
      title: "Allow this on the desktop?",
      message:
        "\(visible(id.appWords)): \(visible(id.place)) becomes \(visible(after.joined(separator: " "))).",
      action: "Allow")
    return ask(confirmation, before: effect, Report(text: ""))
  }

  /// Removes a row, so that its app has to ask again.
  mutating func remove(_ id: DesktopEntries.ID) -> [Effect] {
    guard let before = desktop[id] else { return [] }
    guard !id.isForeign else { return say("This row belongs to another service of the desktop.") }
    return [.changeDesktop(DesktopChange(id: id, before: before, after: nil), nil)]
  }

  /// Takes back the last change of a row, or makes it again. Returns `nil` if the last change was of another kind.
  mutating func walkDesktop(_ step: HistoryStep) -> [Effect]? {
    guard let last = desktopHistory.next(step) else { return nil }
    let change = last.change.reversed
    guard desktop[change.id] == change.before else {
      return say("\(visible(change.id.appWords)): \(visible(change.id.place)) was changed meanwhile.")
    }
    let effect = Effect.changeDesktop(change, step)
    guard now.wall.microseconds.subtractingClamped(last.at.microseconds) > Self.longAgo else {
      return [effect]
    }
    let verb = step == .undo ? "Undo" : "Redo"
    let confirmation = Confirmation(
      title: "\(verb) this change?", message: "\(visible(change.id.appWords)): \(visible(change.words)).",
      action: verb)
    return ask(confirmation, before: effect, Report(text: ""))
  }

  /// Reports a change that was made.
  mutating func take(_ change: DesktopChange, _ step: HistoryStep?) {
    var history = desktopHistory
    history.note(change, step, at: now.wall)
    let made = step == .undo ? "Undone" : step == .redo ? "Redone" : "Desktop"
    report = Report(
      text: "\(made): \(visible(change.id.appWords)), \(visible(change.words)).", isUndoable: step != .undo,
      isRedoable: step == .undo)
    desktopHistory = history
  }
}
