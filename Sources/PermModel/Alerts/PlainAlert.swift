/// An alert as plain lines, for a terminal that is used one line at a time. The facts and their order are the same as
/// in other user interfaces. The person answers by typing words.
package struct PlainAlert: Sendable {
  package let alert: Alert
  /// Whether the alert is shown in a dashboard. Only a dashboard can reopen the alert from a list, or mute the program.
  let isInDashboard: Bool
  let moment: (@Sendable (Timestamp) -> String)?
  let place: RequestFacts.Place?
  var choice = 0
  var cover = 0
  var note: String?
  /// The answer that only needs to be confirmed, because it was given before the person read the request; `nil` if
  /// there is none.
  var preset: Answer?

  /// - Parameters:
  ///   - isInDashboard: Whether the alert is shown in a dashboard. Only a dashboard accepts `later` and `mute`.
  ///   - preset: The only possible answer, which the person still needs to confirm; `nil` to accept any answer.
  ///   - place: The machine on which the program asks; `nil` if the person answers for one machine only.
  ///   - moment: Formats times in the same way as the surrounding output. If it is `nil`, no times are shown.
  package init(
    _ alert: Alert, isInDashboard: Bool, confirming preset: Answer? = nil,
    place: RequestFacts.Place? = nil, moment: (@Sendable (Timestamp) -> String)? = nil
  ) {
    self.alert = alert
    self.preset = preset
    self.isInDashboard = isInDashboard
    self.moment = moment
    self.place = place
  }

  /// The meaning of a typed line.
  package enum Reply: Hashable, Sendable {
    case response(AlertResponse)
    case again
    /// The line is not accepted. The associated string explains why.
    case refused(String)
  }

  /// The alert's lines, in which untrusted text from other programs is escaped.
  package var lines: [String] {
    switch alert.content {
    case .request(let request): lines(of: request)
    case .confirmation(let confirmation): text(confirmation.title, confirmation.message) + [howToAnswer]
    case .notice(let notice): text(notice.title, notice.message) + [howToAnswer]
    }
  }

  package var howToAnswer: String {
    switch alert.content {
    case .request(let request): howToAnswer(request)
    case .confirmation(let confirmation):
      "To \(VisibleText.escaped(confirmation.action.lowercased())): type "
        + "\(VisibleText.escaped(confirmWord(confirmation))). Else type cancel\(isInDashboard ? " or later" : "")."
    case .notice: "Type ok."
    }
  }

  /// Interprets a typed line. An empty line asks to see the alert again.
  package mutating func take(_ line: String) -> Reply {
    let words = line.split(whereSeparator: \.isWhitespace).map { String($0) }
    guard let word = words.first else { return .again }
    switch alert.content {
    case .request(let request): return take(words, line, request)
    case .confirmation(let confirmation):
      if line.trimmed == confirmWord(confirmation) { return .response(.confirmed) }
      if word == "later", words.count == 1, isInDashboard { return .response(.setAside) }
      return words == ["cancel"] ? .response(.refused) : .refused(howToAnswer)
    case .notice: return words == ["ok"] ? .response(.acknowledged) : .refused(howToAnswer)
    }
  }

  private func confirmWord(_ confirmation: Confirmation) -> String { confirmation.typedWord ?? "confirm" }

  private func text(_ title: String, _ message: String) -> [String] {
    [title, message].flatMap { $0.split(separator: "\n") }.map { VisibleText.escaped($0) }
  }
}
