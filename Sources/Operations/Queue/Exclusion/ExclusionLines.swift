/// A value type that stores the holders and waiters of each category, and decides whose turn it is.
///
/// A ticket waits in the line of each category that it needs, and is granted when it is first in all of these
/// lines. Tickets are in the same order in all lines, so operations cannot deadlock, regardless of the order
/// in which they name their categories. Requesting, releasing and leaving take time proportional to the
/// number of the ticket's categories, not to the length of the lines.
struct ExclusionLines<Owner: AnyObject & Sendable>: Sendable {
  /// The maximum number of times that later tickets of higher priority can overtake a ticket.
  static var patience: UInt8 { 16 }
  /// The distance between the labels of successive tickets. It leaves labels free for tickets that overtake.
  private static var labelStep: UInt64 { 1 << 24 }
  private static var none: UInt32 { .max }
  private static var keptLines: Int { 256 }

  struct Request {
    var categories: [ExclusionCategory]
    /// The ticket of the nearest ancestor that has a ticket; `SlotID.none` if there is no such ancestor.
    var ancestor = SlotID.none
    var priority = OperationPriority.normal
    /// Whether the request is allowed to use categories that an ancestor holds.
    var usesLease = true
  }

  struct Ticket: SlotElement {
    /// The operation that the ticket is for. `nil` only if the slot is vacant.
    var owner: Owner?
    /// While the ticket waits, the time when it began to wait. After that, the time when it was granted.
    var since = Duration.zero
    /// The ticket's position in the order of all tickets.
    var label: UInt64 = 0
    /// The ticket of the nearest ancestor that has a ticket; `SlotID.none` if there is no such ancestor.
    var ancestor = SlotID.none
    var firstNode = UInt32.max
    /// The number of the ticket's lines in which other tickets are ahead.
    var ahead: UInt32 = 0
    /// The number of current tickets that were requested with this ticket's lease.
    var descendants: UInt32 = 0
    /// The number of times that later tickets have overtaken this one. With one byte for it, a ticket takes up 64 bytes in
    /// its slot instead of 72.
    var overtaken: UInt8 = 0
    var priority = OperationPriority.normal
    var phase = Phase.waiting
    var usesLease = true

    var isHeld: Bool { phase != .waiting }
  }

  enum Phase: UInt8 {
    case waiting
    case held
    /// The ticket has been released but must remain, because a descendant still uses its categories.
    case returned
  }

  /// A ticket's place in one line.
  struct Node: SlotElement {
    var ticket = UInt32.max
    var line = UInt32.max
    var previous = UInt32.max
    var next = UInt32.max
    /// The node of the same ticket in the next of its lines.
    var sibling = UInt32.max
  }

  struct Line: SlotElement {
    var key: LineKey?
    var head = UInt32.max
    var tail = UInt32.max
  }

  /// The identity of a line: its category and its scope. If the line is only for descendants of the category's holder,
  /// the scope is the holder's ticket. Otherwise, the scope is `nil`.
  struct LineKey: Hashable {
    let category: ExclusionCategory
    let scope: SlotID?
  }

  private(set) var tickets = SlotMap<Ticket>()
  private(set) var nodes = SlotMap<Node>()
  private(set) var lines = SlotMap<Line>()
  private var lineIndices: [LineKey: UInt32] = [:]
  /// The line that was requested last. Most requests are for the same line again, and looking at its key takes less time
  /// than hashing a name.
  private var latestLine = none
  private var lastLabel: UInt64 = 0
  private var emptyLines = 0
}

// MARK: - Requesting

extension ExclusionLines {
  /// Puts a new ticket into all of its lines. If the ticket is first in each line, it is granted immediately.
  ///
  /// - Parameter position: The position of the operation's earlier ticket, if the operation had to return that ticket.
  mutating func request(
    _ request: Request, returningTo position: UInt64? = nil, for owner: Owner, at now: Duration
  ) throws(ExclusionError) -> (ticket: SlotID, isGranted: Bool) {
    let keys = try keys(for: request)
    var ticket = Ticket(owner: owner, since: now)
    ticket.priority = request.priority
    ticket.usesLease = request.usesLease
    ticket.ancestor = request.ancestor
    let id = tickets.insert(ticket)
    if request.ancestor == .none {
      for place in request.categories.indices {
        addNode(of: id, in: line(for: LineKey(category: request.categories[place], scope: nil)))
      }
    } else {
      tickets[request.ancestor.index].descendants += 1
      for key in keys { addNode(of: id, in: line(for: key)) }
    }
    takePosition(id.index, position)
    let isGranted = tickets[id.index].ahead == 0
    if isGranted { tickets[id.index].phase = .held }
    return (id, isGranted)
  }

  /// Returns the line for each category that a child requests: the line of the nearest ancestor that holds the
  /// category. If no ancestor holds the category, this is the common line.
  private func keys(for request: Request) throws(ExclusionError) -> [LineKey] {
    let ancestor = request.ancestor
    guard ancestor != .none else { return [] }
    guard tickets.contains(ancestor), tickets[ancestor.index].phase != .returned else { throw .leaseEnded }
    var keys: [LineKey] = []
    for category in request.categories {
      let scope = try scope(of: category, from: ancestor, usesLease: request.usesLease)
      keys.append(LineKey(category: category, scope: scope))
    }
    return keys
  }

  private func scope(
    of category: ExclusionCategory, from nearest: SlotID?, usesLease: Bool
  ) throws(ExclusionError) -> SlotID? {
    var ancestor = nearest
    var usesLease = usesLease
    while let id = ancestor, tickets.contains(id) {
      if holds(id.index, category) {
        guard usesLease else { throw .heldByAncestor(category: category) }
        return id
      }
      usesLease = usesLease && tickets[id.index].usesLease
      ancestor = tickets[id.index].ancestor == .none ? nil : tickets[id.index].ancestor
    }
    return nil
  }

  private func holds(_ ticket: UInt32, _ category: ExclusionCategory) -> Bool {
    var node = tickets[ticket].firstNode
    while node != Self.none {
      if lines[nodes[node].line].key?.category == category { return true }
      node = nodes[node].sibling
    }
    return false
  }

  private mutating func line(for key: LineKey) -> UInt32 {
    let known = latestLine < lines.endIndex && lines[latestLine].key == key ? latestLine : lineIndices[key]
    if let known {
      if lines[known].head == Self.none { emptyLines -= 1 }
      latestLine = known
      return known
    }
    let index = lines.insert(Line(key: key)).index
    lineIndices[key] = index
    latestLine = index
    return index
  }

  private mutating func addNode(of ticket: SlotID, in line: UInt32) {
    let node = nodes.insert(Node(ticket: ticket.index, line: line, sibling: tickets[ticket.index].firstNode))
    tickets[ticket.index].firstNode = node.index
  }
}

// MARK: - Standing in line

extension ExclusionLines {
  /// Finds the ticket's position in the order of all tickets, and links the ticket into its lines at that position.
  private mutating func takePosition(_ ticket: UInt32, _ earlier: UInt64?) {
    if let position = earlier ?? overtake(ticket) {
      tickets[ticket].label = position
    } else {
      lastLabel += Self.labelStep
      tickets[ticket].label = lastLabel
    }
    var node = tickets[ticket].firstNode
    while node != Self.none {
      link(node, behind: earlier == nil ? overtaken(from: node) : standing(ahead: node))
      node = nodes[node].sibling
    }
  }

  /// Returns the label of a position ahead of waiters of lower priority, or `nil` if the ticket cannot
  /// overtake any waiter.
  ///
  /// This function walks all of the ticket's lines together, from the back, and always visits the latest remaining
  /// ticket. It stops at the first ticket that must not be overtaken. Each step overtakes one ticket, and each ticket
  /// is overtaken a limited number of times. The total time is therefore proportional to the number of tickets.
  private func overtake(_ ticket: UInt32) -> UInt64? {
    var cursors: [UInt32] = []
    var node = tickets[ticket].firstNode
    while node != Self.none {
      let tail = lines[nodes[node].line].tail
      if tail != Self.none {
        // Most tickets wait in a single line, behind a ticket that must not be overtaken. For those tickets,
        // this check avoids creating an array.
        let isOnlyLine = tickets[ticket].firstNode == node && nodes[node].sibling == Self.none
        if isOnlyLine && !mayOvertake(nodes[tail].ticket, with: ticket) { return nil }
        cursors.append(tail)
      }
      node = nodes[node].sibling
    }
    var after: UInt64?
    while let latest = cursors.indices.max(by: { rank(cursors[$0]) < rank(cursors[$1]) }) {
      let label = rank(cursors[latest])
      guard mayOvertake(nodes[cursors[latest]].ticket, with: ticket) else {
        return after.flatMap { between(label, $0) }
      }
      after = label
      let previous = nodes[cursors[latest]].previous
      if previous == Self.none { cursors.remove(at: latest) } else { cursors[latest] = previous }
    }
    return after.flatMap { between(0, $0) }
  }

  /// Returns a node's rank in its line. The holder ranks ahead of all other tickets, including those that return to an
  /// earlier position.
  private func rank(_ node: UInt32) -> UInt64 {
    let ticket = nodes[node].ticket
    return tickets[ticket].isHeld ? 0 : tickets[ticket].label
  }

  private func mayOvertake(_ waiting: UInt32, with ticket: UInt32) -> Bool {
    !tickets[waiting].isHeld && tickets[waiting].priority < tickets[ticket].priority
      && tickets[waiting].overtaken < Self.patience
  }

  /// Returns a label between two others. If no label is left between them, returns `nil`, and no ticket is overtaken.
  private func between(_ low: UInt64, _ high: UInt64) -> UInt64? {
    high - low > 1 ? low + (high - low) / 2 : nil
  }

  /// Returns the last node that ranks ahead of a new node in the new node's line. Also increments the
  /// `overtaken` count of each ticket behind the returned node.
  private mutating func overtaken(from node: UInt32) -> UInt32 {
    var previous = lines[nodes[node].line].tail
    while previous != Self.none, rank(previous) > rank(node) {
      tickets[nodes[previous].ticket].overtaken += 1
      previous = nodes[previous].previous
    }
    return previous
  }

  /// Returns the predecessor of a node that returns to its earlier position: the last node with a smaller
  /// label, or the holder.
  ///
  /// The operation's earlier ticket had already reached the head of the line, so few nodes can be ahead of this one.
  /// Therefore, the line is walked from its head.
  private func standing(ahead node: UInt32) -> UInt32 {
    var previous = Self.none
    var next = lines[nodes[node].line].head
    while next != Self.none, rank(next) <= rank(node) {
      previous = next
      next = nodes[next].next
    }
    return previous
  }

  /// Links a node into its line behind `previous`, or at the head of the line if `previous` is `none`.
  private mutating func link(_ node: UInt32, behind previous: UInt32) {
    let line = nodes[node].line
    let ticket = nodes[node].ticket
    let next = previous == Self.none ? lines[line].head : nodes[previous].next
    nodes[node].previous = previous
    nodes[node].next = next
    if next == Self.none { lines[line].tail = node } else { nodes[next].previous = node }
    if previous == Self.none {
      lines[line].head = node
      if next != Self.none { tickets[nodes[next].ticket].ahead += 1 }
    } else {
      nodes[previous].next = node
      tickets[ticket].ahead += 1
    }
  }
}

// MARK: - Leaving

extension ExclusionLines {
  /// Releases a ticket, whether it holds its categories or waits for them. Returns the tickets that are
  /// granted as a result, which is usually one.
  ///
  /// Categories that a descendant still uses stay held until the descendant's ticket is released too.
  /// Releasing the same ticket again has no effect.
  mutating func release(_ id: SlotID, at now: Duration) -> Few<SlotID> {
    var granted = Few<SlotID>()
    var returned: SlotID? = id
    while let ticket = returned, tickets.contains(ticket) {
      tickets[ticket.index].phase = .returned
      guard tickets[ticket.index].descendants == 0 else { break }
      let ancestor = tickets[ticket.index].ancestor
      leaveLines(ticket.index, &granted, now)
      tickets.remove(ticket)
      guard tickets.contains(ancestor) else { break }
      tickets[ancestor.index].descendants -= 1
      returned = tickets[ancestor.index].phase == .returned ? ancestor : nil
    }
    return granted
  }

  private mutating func leaveLines(_ ticket: UInt32, _ granted: inout Few<SlotID>, _ now: Duration) {
    var node = tickets[ticket].firstNode
    while node != Self.none {
      let sibling = nodes[node].sibling
      unlink(node, &granted, now)
      if let id = nodes.id(at: node) { nodes.remove(id) }
      node = sibling
    }
  }

  private mutating func unlink(_ node: UInt32, _ granted: inout Few<SlotID>, _ now: Duration) {
    let (line, previous, next) = (nodes[node].line, nodes[node].previous, nodes[node].next)
    if next == Self.none { lines[line].tail = previous } else { nodes[next].previous = previous }
    if previous != Self.none {
      nodes[previous].next = next
    } else {
      lines[line].head = next
      if next == Self.none { emptied() } else { becameFirst(nodes[next].ticket, &granted, now) }
    }
  }

  private mutating func becameFirst(_ ticket: UInt32, _ granted: inout Few<SlotID>, _ now: Duration) {
    tickets[ticket].ahead -= 1
    guard tickets[ticket].ahead == 0, let id = tickets.id(at: ticket) else { return }
    tickets[ticket].phase = .held
    tickets[ticket].since = now
    granted.append(id)
  }

  /// Counts a line that has become empty. Once there are too many empty lines, removes all of them. Until then, they
  /// are kept, because a category that was requested once is often requested again.
  private mutating func emptied() {
    emptyLines += 1
    guard emptyLines > Self.keptLines else { return }
    for index in 0..<lines.endIndex where lines[index].head == Self.none {
      guard let id = lines.id(at: index), let key = lines[index].key else { continue }
      lineIndices[key] = nil
      lines.remove(id)
    }
    emptyLines = 0
  }
}
