import PermModel

// Answering several requests at once, from the list of what waits.

extension State {
  /// Marks the selected request, or takes its mark away, and goes on to the next.
  mutating func toggleMark() {
    guard case .waiting(let id) = list.selection else { return }
    guard waiting[id]?.request != nil else {
      report = Report(text: "It is no request, and is answered by itself.")
      return
    }
    if marked.remove(id) == nil { marked.insert(id) }
    list.move(by: 1)
  }

  /// Asks whether the marked requests shall be answered, with a list of them; without marks, the selected one.
  mutating func answerTogether(_ verdict: Verdict) -> [Effect] {
    let requests = requestsInFocus
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
      title: "\(verb) \(count), this once?", message: requests.map(sentence).joined(separator: "\n"),
      action: verb, typedWord: verdict == .allow ? "allow" : nil)
    let question = Question(
      confirmation: confirmation, effects: [.answerTogether(requests, verdict)],
      report: Report(text: "\(verb == "Allow" ? "Allowing" : "Denying") \(count)…"))
    open(Form(.question(question)))
    return []
  }

  private var requestsInFocus: [Request] {
    let items = waitingItems
    let chosen = items.filter { marked.contains($0.id) }
    if !chosen.isEmpty { return chosen.compactMap(\.request) }
    guard case .waiting(let id) = list.selection else { return [] }
    return items.filter { $0.id == id }.compactMap(\.request)
  }

  private func isSevere(_ request: Request) -> Bool {
    (data.capability(request.capability)?.severity ?? .severe) == .severe
  }

  /// A request with what was seen of it and why it asks, so that it can be answered without its alert.
  private func sentence(for request: Request) -> String {
    let what = data.capability(request.capability)?.words(for: request.atoms.sorted()) ?? "use"
    let label = typesetter.visible(request.subject.label)
    let seen = (request.evidence?.program).map { ", seen \(typesetter.visible($0))" } ?? ""
    let reason = request.reason.map { ", because \" \(typesetter.visible($0)) \"" } ?? ""
    return "· \(request.capability): \(what) for \(label)\(seen)\(reason)"
  }
}
