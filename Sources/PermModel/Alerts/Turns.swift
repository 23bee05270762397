/// Lets programs take turns at the person's attention: of each program one request at a time goes to the modal
/// slot, and the next of the same program lines up behind those of the others.
struct Turns<Program: Hashable & Sendable, Item: Hashable & Sendable>: Sendable {
  private var current: [Program: Item] = [:]
  private var waiting: [Program: [Item]] = [:]

  /// Adds a request. Gives whether it may go on at once; if not, ``end(_:of:)`` gives it when its turn comes.
  mutating func begin(_ item: Item, of program: Program) -> Bool {
    guard current[program] == nil else {
      waiting[program, default: []].append(item)
      return false
    }
    current[program] = item
    return true
  }

  /// Ends a request's turn, or takes it out of the line. Gives the request of the same program that goes on now.
  mutating func end(_ item: Item, of program: Program) -> Item? {
    guard current[program] == item else {
      waiting[program]?.removeAll { $0 == item }
      if waiting[program]?.isEmpty == true { waiting[program] = nil }
      return nil
    }
    guard var line = waiting[program], !line.isEmpty else {
      current[program] = nil
      return nil
    }
    let next = line.removeFirst()
    waiting[program] = line.isEmpty ? nil : line
    current[program] = next
    return next
  }
}
