import PermModel

/// An order in which a list can be sorted.
enum SortOrder: String, Sendable {
  case given = "as they came"
  case lastAsked = "last asked"
  case name
  case status
  case capability
  case decided = "last decided"
  case since = "how long they wait"

  /// Whether the greatest values, such as the latest times, come first.
  var isDescending: Bool {
    switch self {
    case .lastAsked, .decided, .given: true
    case .name, .status, .capability, .since: false
    }
  }

  /// A sort key. Rows with smaller keys come first.
  enum Value: Comparable {
    case number(Int64)
    case text(String)
  }
}

extension State {
  /// The orders that the screen offers, the initial order first.
  private var orders: [SortOrder] { screen.view.orders }

  var order: SortOrder { orders[min(list.order, orders.count - 1)] }

  mutating func sortByNext() {
    guard orders.count > 1 else {
      desk.report = Report(text: "This list has one order only.")
      return
    }
    list.order = (list.order + 1) % orders.count
    list.isReversed = false
    desk.report = Report(text: "Sorted by \(order.rawValue).")
  }

  mutating func reverseOrder() {
    list.isReversed.toggle()
    desk.report = Report(text: "Sorted by \(order.rawValue)\(list.isReversed ? ", reversed" : "").")
  }

  func sorted(_ rows: [RowID]) -> [RowID] {
    let order = order
    var result = rows
    if order != .given {
      let values = rows.map { value(of: $0, by: order) }
      result = rows.indices.sorted { (values[$0], $0) < (values[$1], $1) }.map { rows[$0] }
    }
    return list.isReversed ? result.reversed() : result
  }

  private func value(of row: RowID, by order: SortOrder) -> SortOrder.Value {
    switch (row, order) {
    case (.capability(let id), .lastAsked):
      return .number(desk.data.capability(id).map(urgency) ?? 0)
    case (.capability(let id), .status):
      return .number(desk.data.capability(id).map { rank(desk.data.status(of: $0)) } ?? 0)
    case (.capability(let id), _): return .text(desk.data.capability(id)?.title.lowercased() ?? id)
    case (.program(let program), .decided):
      return .number(-(desk.data.decisions(for: program).map(\.decidedAt.microseconds).max() ?? 0))
    case (.program(let program), _): return .text(desk.data.name(of: program).lowercased())
    case (.decision(let id), .decided): return .number(-(desk.data.decision(id)?.decidedAt.microseconds ?? 0))
    case (.group(let id), .decided):
      return .number(-(desk.data.group(id).decidedAt?.microseconds ?? 0))
    case (.gone(let id), .decided): return .number(-(desk.marks.news(of: id)?.at.microseconds ?? 0))
    case (.gone(let id), _), (.group(let id), _):
      return .text(id.subject.name.lowercased() + " " + id.capability)
    case (.decision(let id), _): return .text(id.subject.name.lowercased() + " " + id.capability)
    case (.desktop, .decided): return .number(0)
    case (.desktop(let id), _): return .text(id.appWords.lowercased())
    case (.waiting(let id), _): return value(of: desk.waiting[id], by: order)
    case (.operation(let id), _):
      let row = desk.data.operation(id)
      return order == .since
        ? .number(row?.since.microseconds ?? 0) : .text(row?.operation.lowercased() ?? "")
    default: return .number(0)
    }
  }

  private func value(of item: WaitingRow?, by order: SortOrder) -> SortOrder.Value {
    switch order {
    case .since: .number(item?.askedAt.microseconds ?? 0)
    case .capability: .text(item?.request?.capability ?? "")
    default: .text((item?.request?.subject.name ?? item?.summary ?? "").lowercased())
    }
  }

  /// Returns the default sort key. The key sorts capabilities with waiting requests first, then others that were asked
  /// for (the most recent first), then the rest by status, and finally those that this machine lacks.
  private func urgency(_ capability: CapabilityRow) -> Int64 {
    let status = desk.data.status(of: capability)
    if case .waiting = status { return .min }
    if status == .unavailable { return .max }
    return capability.lastAsked.map { -$0.microseconds } ?? rank(status)
  }

  private func rank(_ status: CapabilityStatus) -> Int64 {
    switch status {
    case .waiting: 0
    case .allowed, .partlyAllowed, .suspended: 1
    case .mixed: 2
    case .denied: 3
    case .unasked, .undecided: 4
    case .unavailable: 5
    }
  }
}
