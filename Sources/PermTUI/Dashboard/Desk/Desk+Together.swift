import PermModel

extension Desk {
  /// Asks whether several requests are to be answered alike, with a list of them.
  mutating func answerTogether(_ items: [WaitingItem], _ verdict: Verdict) -> [Effect] {
    let requests = items.compactMap(\.request)
    guard !requests.isEmpty else {
      report = Report(text: "There is no request to answer here.")
      return []
    }
    if verdict == .allow, let severe = requests.first(where: isSevere) {
      let label = typesetter.visible(severe.subject.label)
      report = Report(
        text: "\(severe.capability) for \(label) can do great harm: answer it by itself.", isError: true)
      return []
    }
    let verb = verdict == .allow ? "Allow" : "Deny"
    let count = requests.count == 1 ? "one request" : "\(requests.count) requests"
    let confirmation = Confirmation(
      title: "\(verb) \(count), this once?",
      message: items.map { sentence(for: $0, verdict) }.joined(separator: "\n"),
      action: verb, typedWord: verdict == .allow ? "allow" : nil)
    let question = Question(
      confirmation: confirmation, effects: [.answerTogether(requests, verdict)],
      report: Report(text: "\(verb == "Allow" ? "Allowing" : "Denying") \(count)…"))
    open(Form(.question(question)))
    return []
  }

  private func isSevere(_ request: Request) -> Bool {
    (data.capability(request.capability)?.severity ?? .severe) == .severe
  }

  /// A request with what was seen of it and why it asks, so that it can be answered without its alert.
  private func sentence(for item: WaitingItem, _ verdict: Verdict) -> String {
    guard let request = item.request else { return "" }
    let what = data.capability(request.capability)?.words(for: request.atoms.sorted()) ?? "use"
    let label = typesetter.visible(VisibleText.framed(request.subject.label))
    let seen = (request.evidence?.program).map { ", seen \(typesetter.visible($0))" } ?? ""
    let reason = request.reason.map { ", because \" \(typesetter.visible($0)) \"" } ?? ""
    let warnings = item.warnings.map { "\n  ! \(typesetter.visible($0))" }.joined()
    let isLeftOut = verdict == .allow && item.isSuspicious
    let left = isLeftOut ? "\n  ! It is left out: it can be allowed by itself only." : ""
    return "· \(request.capability): \(what) for \(label)\(seen)\(reason)\(warnings)\(left)"
  }
}
