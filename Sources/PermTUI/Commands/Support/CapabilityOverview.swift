import PermModel

/// All capabilities with their present state, as `permtui status` shows them.
struct CapabilityOverview {
  private static let names = 3

  /// One capability: its title, its availability if the catalogue lists it, and a summary of what the store
  /// contains about it.
  struct Row {
    var title: String
    var availability: Availability?
    var summary: CapabilitySummary
  }

  let rows: [Row]
  let suspension: Suspension?

  /// Reads the store and examines the machine.
  init(_ context: CommandContext) throws {
    let stored = try context.store(.read).overview(names: Self.names)
    let summaries = Dictionary(stored.capabilities.map { ($0.capability, $0) }) { first, _ in first }
    let availabilities = context.availabilities()
    let listed = context.catalogue.capabilities.map(\.definition)
    let known = Set(listed.map(\.name))
    suspension = stored.suspension
    rows =
      listed.map { definition in
        Row(
          title: definition.title, availability: availabilities[definition.name],
          summary: summaries[definition.name] ?? CapabilitySummary(capability: definition.name))
      }
      // Capabilities that were removed from the configuration are also listed if the store has data about them.
      + stored.capabilities.filter { !known.contains($0.capability) }
      .map { Row(title: $0.capability, availability: nil, summary: $0) }
  }

  func print(to console: Console) throws(OutputError) {
    var table = Table(
      "Capability", "Status", "Who may use it", "Last asked",
      fitting: [.shortenEnd("Who may use it"), .drop("Last asked"), .shortenEnd("Capability")])
    let folded = folded
    for row in rows where !folded.contains(row.summary.capability) {
      table.add(
        .init(row.summary.capability), .init(row.status(isPanic: suspension != nil)), .init(row.who),
        .init(row.summary.lastAsked.map(\.local) ?? ""))
    }
    try console.print(table)
    if !folded.isEmpty {
      let line = "\(folded.count) more are not on this machine; permtui capabilities says why."
      try console.print(wrapping: line, indent: 2)
    }
    console.note(suspension)
  }

  /// The names of the capabilities that share one line.
  private var folded: Set<String> {
    let rows = rows.folded(
      isAbsent: { $0.availability?.isAvailable == false }, isUsed: \.summary.isUsed)
    return Set(rows.map(\.summary.capability))
  }

  var json: JSON {
    ["capabilities": .list(rows.map(\.json)), "suspended": JSON(suspension)]
  }
}

extension Table.Cell {
  /// Creates a cell with the words for a capability's status.
  init(_ status: CapabilityStatus) { self.init(status.words, status.role) }
}

extension CapabilityStatus {
  fileprivate var role: Style.Role {
    switch self {
    case .allowed: .allowed
    case .denied: .denied
    case .waiting, .mixed, .partlyAllowed, .suspended: .attention
    case .unasked, .undecided, .unavailable: .muted
    }
  }
}

extension CapabilityOverview.Row {
  /// The status in the dashboard's words.
  fileprivate func status(isPanic: Bool) -> CapabilityStatus {
    if summary.waiting > 0 { return .waiting(summary.waiting) }
    if summary.allowed > 0, isPanic { return .suspended }
    switch (summary.allowed > 0, summary.denied > 0) {
    case (true, true): return .mixed(allowed: summary.allowed, denied: summary.denied)
    case (true, false): return .allowed
    case (false, true): return .denied
    case (false, false) where availability?.isAvailable == false: return .unavailable
    case (false, false): return summary.lastAsked == nil ? .unasked : .undecided
    }
  }

  fileprivate var who: String {
    let allowed = Self.names(summary.firstAllowed, of: summary.allowed)
    let denied = Self.names(summary.firstDenied, of: summary.denied)
    let parts = [allowed, denied.isEmpty ? "" : "not \(denied)"].filter { !$0.isEmpty }
    if parts.isEmpty, let why = availability?.unavailability { return why.reason }
    return parts.joined(separator: "; ")
  }

  private static func names(_ decisions: [Decision], of total: Int) -> String {
    var labels: [String] = []
    for decision in decisions where !labels.contains(decision.subject.label) {
      labels.append(decision.subject.label)
    }
    let more = total - labels.count
    return labels.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  fileprivate var json: JSON {
    [
      "allowed": .integer(Int64(summary.allowed)), "availability": availability.map { JSON($0) } ?? .null,
      "denied": .integer(Int64(summary.denied)), "last_asked": JSON(summary.lastAsked),
      "name": .text(summary.capability),
      "title": .text(title), "waiting": .integer(Int64(summary.waiting)),
    ]
  }
}
