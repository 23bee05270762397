import PermModel

// Typed lines that answer an alert.

extension PlainDashboard {
  static let unbacked =
    "The broker that asks this has gone: an answer has no effect until the next one asks the same."

  mutating func answer(_ text: String) {
    guard var alert = shown, let form = desk.form, !form.isWithdrawn else { return }
    guard !form.isUnbacked else { return say([Self.unbacked]) }
    let words = PlainCommand.words(text)
    if words.count == 1, let word = PlainWord(rawValue: words[0]), [.waiting, .help, .quit].contains(word) {
      return runBeside(word)
    }
    switch alert.take(text) {
    case .response(let response):
      shown = nil
      apply(desk.end(response))
      desk.prompt.close(isAnswered: true)
      return
    case .again: say(alert.lines)
    case .refused(let why): say([why])
    }
    shown = alert
    desk.restartWait()
  }

  /// Carries out a word that does not answer the alert.
  private mutating func runBeside(_ word: PlainWord) {
    desk.restartWait()
    switch word {
    case .waiting: say(listing.waiting)
    case .help: say(listing.answerHelp)
    default: apply([.quit(isInterrupt: false)])
    }
  }
}
