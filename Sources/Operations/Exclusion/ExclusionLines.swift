/// Who holds and who waits for which category: a value that changes and says whose turn it is.
///
/// A ticket stands in the line of each category that it needs and is granted when it is first in all of them. All
/// lines agree on the order of tickets, so no order of names can deadlock. Asking, releasing and leaving take time
/// with the number of the ticket's categories, not with the length of the lines.
struct ExclusionLines<Owner: AnyObject & Sendable>: Sendable {
  /// How often a ticket may be overtaken by later ones of higher priority.
  static var patience: UInt16 { 16 }
  /// The distance between the labels of two tickets in a row; one that overtakes gets a label in between.
  private static var labelStep: UInt64 { 1 << 24 }
  private static var none: UInt32 { .max }
  /// How many lines in which nobody stands are kept.
  private static var keptLines: Int { 256 }

  /// What can be asked for.
  struct Request {
    var categories: [ExclusionCategory]
    var priority = OperationPriority.normal
    /// The nearest ancestor's ticket.
    var ancestor: SlotID?
    /// Whether what the ancestors hold may be used.
    var usesLease = true
    /// The position of an earlier ticket of the operation, if it had to give that ticket back.
    var position: UInt64?
  }

  struct Ticket: SlotElement {
    /// Whose it is. `nil` only where there is no ticket.
    var owner: Owner?
    /// Since when it is held; until it is, since when it waits.
    var since = Duration.zero
    /// Where it stands in the order of all tickets.
    var label: UInt64 = 0
    /// The nearest ancestor's ticket; `SlotID.none` without one.
    var ancestor = SlotID.none
    var firstNode = UInt32.max
    /// In how many lines others are ahead.
    var ahead: UInt32 = 0
    /// Tickets that use this one's lease or may do so.
    var descendants: UInt32 = 0
    var overtaken: UInt16 = 0
    var priority = OperationPriority.normal
    var isHeld = false
    var usesLease = true
    /// Its operation has ended, but a descendant still uses its categories.
    var isReturned = false

    static var vacant: Ticket { Ticket() }
  }

  /// A ticket's place in one line.
  struct Node: SlotElement {
    var ticket: UInt32
    var line: UInt32
    var previous = UInt32.max
    var next = UInt32.max
    /// The same ticket's place in its next line.
    var sibling = UInt32.max

    static var vacant: Node { Node(ticket: .max, line: .max) }
  }

  struct Line: SlotElement {
    var key: LineKey?
    var head = UInt32.max
    var tail = UInt32.max

    static var vacant: Line { Line() }
  }

  /// A category, or its use by the descendants of the ticket that holds it.
  struct LineKey: Hashable {
    let category: ExclusionCategory
    let scope: SlotID?
  }

  private(set) var tickets = SlotMap<Ticket>()
  private(set) var nodes = SlotMap<Node>()
  private(set) var lines = SlotMap<Line>()
  private var lineIndices: [LineKey: UInt32] = [:]
  private var lastLabel: UInt64 = 0
  private var emptyLines = 0
}

// MARK: - Asking

extension ExclusionLines {
  /// Puts a new ticket into all its lines; it is granted at once if it is first in each.
  mutating func request(
    _ request: Request, for owner: Owner, at now: Duration
  ) throws(ExclusionError) -> (ticket: SlotID, isGranted: Bool) {
    let keys = try keys(for: request)
    var ticket = Ticket(owner: owner, since: now)
    ticket.priority = request.priority
    ticket.usesLease = request.usesLease
    ticket.ancestor = request.ancestor ?? .none
    let id = tickets.insert(ticket)
    if let ancestor = request.ancestor { tickets[ancestor.index].descendants += 1 }
    if request.ancestor == nil {
      for category in request.categories {
        addNode(of: id, in: line(for: LineKey(category: category, scope: nil)))
      }
    } else {
      for key in keys { addNode(of: id, in: line(for: key)) }
    }
    takePosition(id.index, request.position)
    let isGranted = tickets[id.index].ahead == 0
    tickets[id.index].isHeld = isGranted
    return (id, isGranted)
  }

  /// A child's line for each category: that of the nearest ancestor that holds it, else the common one.
  private func keys(for request: Request) throws(ExclusionError) -> [LineKey] {
    guard let ancestor = request.ancestor else { return [] }
    guard tickets.contains(ancestor), !tickets[ancestor.index].isReturned else { throw .leaseEnded }
    var keys: [LineKey] = []
    for category in request.categories {
      let scope = try scope(of: category, from: request.ancestor, usesLease: request.usesLease)
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
    if let index = lineIndices[key] {
      if lines[index].head == Self.none { emptyLines -= 1 }
      return index
    }
    let index = lines.insert(Line(key: key)).index
    lineIndices[key] = index
    return index
  }

  private mutating func addNode(of ticket: SlotID, in line: UInt32) {
    let node = nodes.insert(Node(ticket: ticket.index, line: line, sibling: tickets[ticket.index].firstNode))
    tickets[ticket.index].firstNode = node.index
  }
}

// MARK: - Standing in line

extension ExclusionLines {
  /// Finds the ticket's position in the order of all tickets, and links it into its lines there.
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

  /// The label of a position ahead of waiters of lower priority; `nil` if there is nobody to overtake.
  ///
  /// The lines are walked from their ends together, latest ticket first, up to the first that must not be overtaken.
  /// Each step overtakes one ticket, and each ticket is overtaken a limited number of times, so all walks together
  /// take time with the number of tickets.
  private func overtake(_ ticket: UInt32) -> UInt64? {
    var cursors: [UInt32] = []
    var node = tickets[ticket].firstNode
    while node != Self.none {
      let tail = lines[nodes[node].line].tail
      if tail != Self.none {
        // Most tickets stand in one line, and most behind one that may not be overtaken: no need for an array then.
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

  /// Where a node stands among those of its line: the holder is ahead of all, also of tickets that came back.
  private func rank(_ node: UInt32) -> UInt64 {
    let ticket = nodes[node].ticket
    return tickets[ticket].isHeld ? 0 : tickets[ticket].label
  }

  private func mayOvertake(_ waiting: UInt32, with ticket: UInt32) -> Bool {
    !tickets[waiting].isHeld && tickets[waiting].priority < tickets[ticket].priority
      && tickets[waiting].overtaken < Self.patience
  }

  /// A label between two; `nil` if there is none left, and nobody is overtaken then.
  private func between(_ low: UInt64, _ high: UInt64) -> UInt64? {
    high - low > 1 ? low + (high - low) / 2 : nil
  }

  /// The last node with a smaller label in a new node's line. All behind it are overtaken.
  private mutating func overtaken(from node: UInt32) -> UInt32 {
    var previous = lines[nodes[node].line].tail
    while previous != Self.none, rank(previous) > rank(node) {
      tickets[nodes[previous].ticket].overtaken += 1
      previous = nodes[previous].previous
    }
    return previous
  }

  /// The last node that is ahead of one which comes back to its position: those with smaller labels, and the holder.
  ///
  /// Few are, for it has been first before; so the line is walked from its head.
  private func standing(ahead node: UInt32) -> UInt32 {
    var previous = Self.none
    var next = lines[nodes[node].line].head
    while next != Self.none, rank(next) <= rank(node) {
      previous = next
      next = nodes[next].next
    }
    return previous
  }

  /// Links a node into its line, behind another; first, if that is none.
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
  /// Gives a ticket back, whether it holds its categories or waits for them. Says which tickets are granted by that.
  ///
  /// What a descendant still uses stays held until the descendant's ticket comes back too. A ticket that came back
  /// before is ignored.
  mutating func release(_ id: SlotID, at now: Duration) -> [SlotID] {
    var granted: [SlotID] = []
    var returned: SlotID? = id
    while let ticket = returned, tickets.contains(ticket) {
      tickets[ticket.index].isReturned = true
      guard tickets[ticket.index].descendants == 0 else { break }
      let ancestor = tickets[ticket.index].ancestor
      leaveLines(ticket.index, &granted, now)
      tickets.remove(ticket)
      guard tickets.contains(ancestor) else { break }
      tickets[ancestor.index].descendants -= 1
      returned = tickets[ancestor.index].isReturned ? ancestor : nil
    }
    return granted
  }

  private mutating func leaveLines(_ ticket: UInt32, _ granted: inout [SlotID], _ now: Duration) {
    var node = tickets[ticket].firstNode
    while node != Self.none {
      let sibling = nodes[node].sibling
      unlink(node, &granted, now)
      if let id = nodes.id(at: node) { nodes.remove(id) }
      node = sibling
    }
  }

  private mutating func unlink(_ node: UInt32, _ granted: inout [SlotID], _ now: Duration) {
    let (line, previous, next) = (nodes[node].line, nodes[node].previous, nodes[node].next)
    if next == Self.none { lines[line].tail = previous } else { nodes[next].previous = previous }
    if previous != Self.none {
      nodes[previous].next = next
    } else {
      lines[line].head = next
      if next == Self.none { emptied() } else { becameFirst(nodes[next].ticket, &granted, now) }
    }
  }

  private mutating func becameFirst(_ ticket: UInt32, _ granted: inout [SlotID], _ now: Duration) {
    tickets[ticket].ahead -= 1
    guard tickets[ticket].ahead == 0, let id = tickets.id(at: ticket) else { return }
    tickets[ticket].isHeld = true
    tickets[ticket].since = now
    granted.append(id)
  }

  /// Keeps some empty lines, because who wanted a category once often wants it again.
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
