/// The order in which programs get the person's attention. Each program has at most one request in line for the modal
/// slot, and its next request joins the line behind the requests of other programs.
struct Turns<Program: Hashable & Sendable, Item: Equatable & Sendable>: Sendable {
  /// The requests of each program. The first request in each array is the one that is in line for the slot.
  private var lines: [Program: [Item]] = [:]

  /// Adds a request, and returns whether the request can join the line now. If not, ``end(_:of:)`` returns the request
  /// later.
  mutating func begin(_ item: Item, of program: Program) -> Bool {
    lines[program, default: []].append(item)
    return lines[program]?.count == 1
  }

  /// Ends a request's turn, or removes a request that is still waiting for its turn. If another request of
  /// the same program can now join the line, returns that request.
  mutating func end(_ item: Item, of program: Program) -> Item? {
    guard let place = lines[program]?.firstIndex(of: item) else { return nil }
    lines[program]?.remove(at: place)
    let next = lines[program]?.first
    if next == nil { lines[program] = nil }
    return place == 0 ? next : nil
  }
}

extension Alert {
  /// The program that asks, whatever folder it works in; `nil` for an alert that is not a request.
  var program: Asker? {
    if case .request(let alert) = content { Asker(alert.request.subject.inAnyFolder) } else { nil }
  }
}
