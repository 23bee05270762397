/// The order in which programs take turns at the person's attention: each has one request at a time in line for the
/// modal slot, and its next one joins behind those of other programs.
struct Turns<Program: Hashable & Sendable, Item: Hashable & Sendable>: Sendable {
  private var current: [Program: Item] = [:]
  private var waiting: [Program: [Item]] = [:]

  /// Adds a request. Returns whether it may join the line at once; if not, ``end(_:of:)`` returns it later.
  mutating func begin(_ item: Item, of program: Program) -> Bool {
    guard current[program] == nil else {
      waiting[program, default: []].append(item)
      return false
    }
    current[program] = item
    return true
  }

  /// Ends a request's turn, or removes a request that still waits for one. Returns the same program's request that may
  /// now join the line.
  mutating func end(_ item: Item, of program: Program) -> Item? {
    guard current[program] == item else {
      waiting[program]?.removeAll { $0 == item }
      if waiting[program]?.isEmpty == true { waiting[program] = nil }
      return nil
    }
    current[program] = waiting[program]?.removeFirst()
    if waiting[program]?.isEmpty == true { waiting[program] = nil }
    return current[program]
  }
}

extension Alert {
  /// The program that asks; `nil` for an alert that is not a request.
  var program: Asker? {
    if case .request(let alert) = content { Asker(alert.request.subject) } else { nil }
  }
}
