// Reports about the lines.

extension ExclusionLines {
  /// A ticket in a line.
  struct Standing: Sendable {
    let ticket: SlotID
    let owner: Owner
    let isHeld: Bool
    let since: Duration
  }

  /// A line with its tickets, from first to last.
  struct LineReport: Sendable {
    let category: ExclusionCategory
    /// The operation whose lease is used by the tickets in this line; `nil` for the category's common line.
    let lender: Owner?
    let standings: [Standing]
  }

  /// All lines that are not empty. Takes time proportional to the number of tickets.
  var report: [LineReport] {
    (0..<lines.endIndex).compactMap { index in
      guard lines[index].head != UInt32.max, let key = lines[index].key else { return nil }
      let lender = key.scope.flatMap { tickets.contains($0) ? tickets[$0.index].owner : nil }
      return LineReport(category: key.category, lender: lender, standings: standings(in: index))
    }
  }

  private func standings(in line: UInt32) -> [Standing] {
    var standings: [Standing] = []
    var node = lines[line].head
    while node != UInt32.max {
      let index = nodes[node].ticket
      if let ticket = tickets.id(at: index), let owner = tickets[index].owner {
        standings.append(
          Standing(
            ticket: ticket, owner: owner, isHeld: tickets[index].isHeld,
            since: tickets[index].since))
      }
      node = nodes[node].next
    }
    return standings
  }

  /// The tickets that are ahead of a waiting ticket in one line and keep it from being granted.
  struct Obstacle: Sendable {
    let category: ExclusionCategory
    /// The first ticket in the line.
    let first: Standing
    /// The operation directly ahead of the waiting ticket.
    let next: Owner
    let ahead: Int
  }

  /// Returns an obstacle for each line in which other tickets are ahead of the given one. Takes time
  /// proportional to the length of the lines.
  func obstacles(of ticket: SlotID) -> [Obstacle] {
    guard tickets.contains(ticket) else { return [] }
    var obstacles: [Obstacle] = []
    var node = tickets[ticket.index].firstNode
    while node != UInt32.max {
      let ahead = standings(in: nodes[node].line).prefix { $0.ticket != ticket }
      if let first = ahead.first, let last = ahead.last, let key = lines[nodes[node].line].key {
        obstacles.append(
          Obstacle(category: key.category, first: first, next: last.owner, ahead: ahead.count))
      }
      node = nodes[node].sibling
    }
    return obstacles
  }

  /// Returns the obstacles of all waiting tickets in these lines. Takes time proportional to the number of tickets.
  static func obstacles(in reports: [LineReport]) -> [SlotID: [Obstacle]] {
    var obstacles: [SlotID: [Obstacle]] = [:]
    for report in reports {
      guard let first = report.standings.first else { continue }
      for (index, (ahead, behind)) in zip(report.standings, report.standings.dropFirst()).enumerated() {
        obstacles[behind.ticket, default: []].append(
          Obstacle(category: report.category, first: first, next: ahead.owner, ahead: index + 1))
      }
    }
    return obstacles
  }
}
