/// The order in which programs take turns at the person's attention: each has one request at a time in line for the
/// modal slot, and its next one joins behind those of other programs.
struct Turns<Program: Hashable & Sendable, Item: Equatable & Sendable>: Sendable {
  /// The requests of each program; the first has its turn.
  private var lines: [Program: [Item]] = [:]

  /// Adds a request. Returns whether it may join the line at once; if not, ``end(_:of:)`` returns it later.
  mutating func begin(_ item: Item, of program: Program) -> Bool {
    lines[program, default: []].append(item)
    return lines[program]?.count == 1
  }

  /// Ends a request's turn, or removes a request that still waits for one. Returns the same program's request that may
  /// now join the line.
  mutating func end(_ item: Item, of program: Program) -> Item? {
    guard let place = lines[program]?.firstIndex(of: item) else { return nil }
    lines[program]?.remove(at: place)
    let next = lines[program]?.first
    if next == nil { lines[program] = nil }
    return place == 0 ? next : nil
  }
}

extension Alert {
  /// The program that asks; `nil` for an alert that is not a request.
  var program: Asker? {
    if case .request(let alert) = content { Asker(alert.request.subject) } else { nil }
  }
}
