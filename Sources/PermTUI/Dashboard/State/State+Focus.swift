import PermModel

// The targets of a list's commands.

extension State {
  mutating func forget() -> [Effect] {
    let data = desk.data
    switch list.selection {
    case .decision(let id): return desk.forget(data.decision(id).map { [$0] } ?? [], nil)
    case .capability(let id):
      return desk.forget(Array(data.decisions(about: id)), .capability(id), of: data.count(about: id))
    case .program(let program): return desk.forget(data.decisions(for: program), .program(program))
    default: return desk.forget([], nil)
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

  /// The marked requests; without marks, the selected one.
  var requestsInFocus: [WaitingItem] {
    let items = desk.waitingItems.filter { $0.request != nil }
    let chosen = items.filter { marked.contains($0.id) }
    if !chosen.isEmpty { return chosen }
    guard case .waiting(let id) = list.selection else { return [] }
    return items.filter { $0.id == id }
  }
}
