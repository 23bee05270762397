/// An alert line by line, for a terminal that is only written to and read from: the same facts in a fixed order, and
/// answers by typed words.
package struct PlainAlert: Sendable {
  package let alert: Alert
  /// Whether the alert is in a dashboard, whose list can reopen it and whose store keeps mutes.
  let isInDashboard: Bool
  let moment: (@Sendable (Timestamp) -> String)?
  var choice = 0
  var note: String?
  /// The answer that only needs to be confirmed, if it was given before the request was read.
  var preset: Answer?

  /// - Parameters:
  ///   - isInDashboard: Whether `later` and `mute` are accepted, because there is a way to return to the alert.
  ///   - preset: The answer that only needs to be confirmed: no other line answers the alert.
  ///   - moment: Formats moments as the surrounding output does; without it they are left out.
  package init(
    _ alert: Alert, isInDashboard: Bool, confirming preset: Answer? = nil,
    moment: (@Sendable (Timestamp) -> String)? = nil
  ) {
    self.alert = alert
    self.preset = preset
    self.isInDashboard = isInDashboard
    self.moment = moment
  }

  /// The meaning of a typed line.
  package enum Reply: Hashable, Sendable {
    case response(AlertResponse)
    case again
    /// The line has no meaning here; the text says why, and which lines do.
    case refused(String)
  }

  /// The alert's lines, with foreign text escaped.
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

  /// Takes a typed line. An empty line shows the alert again.
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
