/// The order in which programs take turns at the person's attention: of each program one request at a time is in line
/// for the modal slot, and its next one joins behind those of the others.
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

  /// Ends a request's turn, or removes one that still waits for it. Returns the request of the same program that may
  /// join the line now.
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
  /// The program that asks; `nil` for what is no request.
  var program: Asker? {
    if case .request(let alert) = content { Asker(alert.request.subject) } else { nil }
  }
}
