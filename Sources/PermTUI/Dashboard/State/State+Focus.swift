import PermModel

// The targets of a list's commands.

extension State {
  mutating func forget() -> [Effect] { desk.forget(decisionsInFocus, scopeInFocus, of: countInFocus) }

  /// The decisions that `forget` applies to.
  private var decisionsInFocus: [DecisionRow] {
    switch list.selection {
    case .decision(let id): desk.data.decision(id).map { [$0] } ?? []
    case .capability(let id): Array(desk.data.decisions(about: id))
    case .program(let program): desk.data.decisions(for: program)
    default: []
    }
  }

  /// Their number if not all have been read.
  private var countInFocus: Int {
    if case .capability(let id) = list.selection { desk.data.count(about: id) } else { 0 }
  }

  private var scopeInFocus: ForgetScope? {
    switch list.selection {
    case .capability(let id): .capability(id)
    case .program(let program): .program(program)
    default: nil
    }
  }

  /// The capability that is open.
  var openCapability: CapabilityRow? {
    if case .capability(let id) = screen { desk.data.capability(id) } else { nil }
  }

  /// Marks the selected request, or unmarks it, and moves on to the next.
  mutating func toggleMark() {
    guard case .waiting(let id) = list.selection else { return }
    guard desk.waiting[id]?.request != nil else {
      desk.report = Report(text: "It is not a request, and is answered by itself.")
      return
    }
    if marked.remove(id) == nil { marked.insert(id) }
    list.move(by: 1)
  }

  /// Asks whether to answer the marked requests; without marks, the selected one.
  mutating func answerTogether(_ verdict: Verdict) -> [Effect] {
    desk.answerTogether(requestsInFocus, verdict)
  }

  private var requestsInFocus: [WaitingItem] {
    let items = desk.waitingItems.filter { $0.request != nil }
    let chosen = items.filter { marked.contains($0.id) }
    if !chosen.isEmpty { return chosen }
    guard case .waiting(let id) = list.selection else { return [] }
    return items.filter { $0.id == id }
  }
}
