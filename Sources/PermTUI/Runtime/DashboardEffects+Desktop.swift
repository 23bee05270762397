import PermModel

extension DashboardEffects {
  /// Changes a row of the desktop's store, and journals that.
  func changeDesktop(_ change: DesktopChange, _ step: HistoryStep?) async {
    guard let desktop = services.desktop, await desktop.make(change) else {
      return report(
        "The desktop's row was not changed: \(DesktopProgram.name) store list says why.", isError: true)
    }
    send(.changedDesktop(change, step))
    do {
      let app = VisibleText.escaped(change.id.appWords)
      try services.store.noteDesktop(
        change.subject == nil ? "\(app): \(change.words)" : change.words, of: change.subject,
        capability: change.id.capability, by: services.origin)
    } catch {
      report("The change is made, but not in the journal: \(Report.words(of: error))", isError: true)
    }
  }
}
