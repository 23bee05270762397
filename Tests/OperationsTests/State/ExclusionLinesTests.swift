import Testing

@testable import Operations

@Suite("The lines of exclusion")
struct ExclusionLinesTests {
  private typealias Lines = ExclusionLines<Label>

  private func request(
    _ categories: String..., priority: OperationPriority = .normal, ancestor: SlotID? = nil,
    usesLease: Bool = true
  ) -> Lines.Request {
    Lines.Request(
      categories: categories.map { ExclusionCategory($0) }, ancestor: ancestor ?? .none, priority: priority,
      usesLease: usesLease)
  }

  @Test("Release takes the ticket, not the category's name")
  func identity() throws {
    var lines = Lines()
    let holder = try lines.request(request("a"), for: "holder", at: .zero)
    let waiter = try lines.request(request("a"), for: "waiter", at: .zero)
    let last = try lines.request(request("a"), for: "last", at: .zero)
    #expect(holder.isGranted && !waiter.isGranted && !last.isGranted)
    #expect(lines.release(waiter.ticket).isEmpty)
    #expect(lines.release(waiter.ticket).isEmpty)
    #expect(lines.release(holder.ticket) == [last.ticket])
    #expect(lines.release(holder.ticket).isEmpty)
  }

  @Test("A ticket that comes back twice does not free the place that another has now")
  func generations() throws {
    var lines = Lines()
    let first = try lines.request(request("a"), for: "first", at: .zero)
    #expect(lines.release(first.ticket).isEmpty)
    let second = try lines.request(request("a"), for: "second", at: .zero)
    #expect(first.ticket.index == second.ticket.index)
    #expect(lines.release(first.ticket).isEmpty)
    #expect(try !lines.request(request("a"), for: "third", at: .zero).isGranted)
  }

  @Test("An operation that waits for several categories holds back later ones, and gets all at once")
  func several() throws {
    var lines = Lines()
    let a = try lines.request(request("a"), for: "a", at: .zero)
    let b = try lines.request(request("b"), for: "b", at: .zero)
    let both = try lines.request(request("a", "b"), for: "both", at: .zero)
    let later = try lines.request(request("a"), for: "later", at: .zero)
    #expect(lines.release(a.ticket).isEmpty)
    #expect(lines.release(b.ticket) == [both.ticket])
    #expect(lines.release(both.ticket) == [later.ticket])
  }

  @Test("A higher priority overtakes, but no waiter is overtaken more than a fixed number of times")
  func fairness() throws {
    var lines = Lines()
    let holder = try lines.request(request("a"), for: "holder", at: .zero)
    _ = try lines.request(request("a", priority: .low), for: "low", at: .zero)
    for number in 0..<40 {
      _ = try lines.request(request("a", priority: .high), for: Label("high \(number)"), at: .zero)
    }
    var order: [String] = []
    var granted = lines.release(holder.ticket)
    while let ticket = granted.first {
      order.append(lines.tickets[ticket.index].owner?.description ?? "")
      granted = lines.release(ticket)
    }
    let overtakers = (0..<Int(Lines.patience)).map { "high \($0)" }
    #expect(Array(order.prefix(17)) == overtakers + ["low"])
    #expect(order.count == 41)
  }

  @Test("A ticket that asks for an earlier position is behind the holder and ahead of all that came later")
  func position() throws {
    var lines = Lines()
    let first = try lines.request(request("a"), for: "first", at: .zero)
    let early = try lines.request(request("a", "b"), for: "early", at: .zero)
    let position = lines.tickets[early.ticket.index].label
    let late = try lines.request(request("a"), for: "late", at: .zero)
    #expect(lines.release(early.ticket).isEmpty)
    #expect(lines.release(first.ticket) == [late.ticket])
    let later = try lines.request(request("a"), for: "later", at: .zero)
    let back = try lines.request(request("a", "b"), returningTo: position, for: "early", at: .zero)
    #expect(!back.isGranted)
    #expect(lines.release(late.ticket) == [back.ticket])
    #expect(lines.release(back.ticket) == [later.ticket])
  }

  @Test(
    "All lines agree on the order, whatever is overtaken or comes back",
    arguments: [UInt64.random(in: 0..<UInt64.max)])
  func neverDeadlocks(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    var lines = Lines()
    var held: Set<SlotID> = []
    var waiting: Set<SlotID> = []
    var positions: [UInt64] = []
    func grant(_ tickets: [SlotID]) {
      for ticket in tickets {
        #expect(waiting.remove(ticket) != nil, "seed \(seed)")
        held.insert(ticket)
      }
    }
    for number in 0..<5_000 {
      var wanted = Lines.Request(categories: [])
      for category in 0..<8 where random.chance(25) {
        wanted.categories.append(ExclusionCategory("\(category)"))
      }
      wanted.priority = OperationPriority.allCases.randomElement(using: &random) ?? .normal
      let position = !positions.isEmpty && random.chance(20) ? positions.removeFirst() : nil
      let (ticket, isGranted) = try lines.request(
        wanted, returningTo: position, for: Label("\(number)"), at: .zero)
      if isGranted { held.insert(ticket) } else { waiting.insert(ticket) }
      if random.chance(40), let ticket = held.randomElement(using: &random) {
        held.remove(ticket)
        // Some did not use it, and will ask for the same position again.
        if random.chance(30) { positions.append(lines.tickets[ticket.index].label) }
        grant(lines.release(ticket))
      }
      if random.chance(10), let ticket = waiting.randomElement(using: &random) {
        waiting.remove(ticket)
        grant(lines.release(ticket))
      }
    }
    while let ticket = held.first {
      held.remove(ticket)
      grant(lines.release(ticket))
    }
    #expect(waiting.isEmpty, "seed \(seed): \(waiting.count) wait for one another")
    #expect(lines.tickets.count == 0 && lines.nodes.count == 0 && lines.report.isEmpty, "seed \(seed)")
  }

  @Test("A lease's line is its own, and what a descendant uses stays held until it is back")
  func leases() throws {
    var lines = Lines()
    let parent = try lines.request(request("a"), for: "parent", at: .zero)
    let child = try lines.request(request("a", ancestor: parent.ticket), for: "child", at: .zero)
    let sibling = try lines.request(request("a", ancestor: parent.ticket), for: "sibling", at: .zero)
    let stranger = try lines.request(request("a"), for: "stranger", at: .zero)
    #expect(child.isGranted && !sibling.isGranted && !stranger.isGranted)
    #expect(lines.release(parent.ticket).isEmpty)
    #expect(lines.release(child.ticket) == [sibling.ticket])
    #expect(lines.release(sibling.ticket) == [stranger.ticket])
  }

  @Test("A grandchild uses the lease through a parent that has no category of its own in the way")
  func grandchild() throws {
    var lines = Lines()
    let grandparent = try lines.request(request("a"), for: "grandparent", at: .zero)
    let parent = try lines.request(request("b", ancestor: grandparent.ticket), for: "parent", at: .zero)
    #expect(try lines.request(request("a", "b", ancestor: parent.ticket), for: "child", at: .zero).isGranted)
  }

  @Test("Without the lease, and with one that has ended, there is a typed error")
  func errors() throws {
    var lines = Lines()
    let parent = try lines.request(request("a"), for: "parent", at: .zero)
    let error = ExclusionError.heldByAncestor(category: ExclusionCategory("a"))
    #expect(throws: error) {
      try lines.request(request("a", ancestor: parent.ticket, usesLease: false), for: "child", at: .zero)
    }
    _ = lines.release(parent.ticket)
    #expect(throws: ExclusionError.leaseEnded) {
      try lines.request(request("a", ancestor: parent.ticket), for: "late", at: .zero)
    }
  }
}

extension ExclusionLines {
  /// Releases a ticket, and returns the tickets that are granted as a result.
  fileprivate mutating func release(_ ticket: SlotID) -> [SlotID] {
    var granted: [SlotID] = []
    release(ticket, at: .zero).forEach { granted.append($0) }
    return granted
  }
}
