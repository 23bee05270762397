import PermModel

/// All known programs with their decisions, mutes and waiting requests, as `permtui programs` shows them.
struct ProgramOverview {
  /// One program, and the facts that the store holds about it.
  struct Row {
    var subject: Subject
    var allowed: Set<Atom> = []
    var denied: Set<Atom> = []
    var mute: Decision?
    var waiting = 0
  }

  /// The programs, sorted by name and file.
  let rows: [Row]
  let suspension: Suspension?

  init(_ store: any PermissionStore) throws {
    var found: [Subject: Row] = [:]
    for decision in try store.decisions() {
      found[decision.subject, default: Row(subject: decision.subject)].note(decision)
    }
    for waiting in try store.waitingRequests() {
      let subject = waiting.request.subject
      found[subject, default: Row(subject: subject)].waiting += 1
    }
    rows = found.values.sorted { ($0.subject.name, $0.subject.place) < ($1.subject.name, $1.subject.place) }
    suspension = try store.suspension()
  }

  var table: Table {
    var table = Table(
      "Program", "File", "May use", "May not use", "Now",
      fitting: [
        .shortenStart("File"), .shortenEnd("May use"), .shortenEnd("May not use"), .shortenEnd("Program"),
        .drop("File"),
        .shortenEnd("Now"),
      ])
    for row in rows {
      table.add(
        .init(row.subject.name), .init(row.subject.place),
        row.mayUse(isPanic: suspension != nil),
        .init(row.capabilities(of: row.denied), .denied), .init(row.now, .attention))
    }
    return table
  }

  func json(_ catalogue: CapabilityCatalogue) -> JSON {
    ["programs": .list(rows.map { $0.json(catalogue) }), "suspended": JSON(suspension)]
  }
}

extension ProgramOverview.Row {
  fileprivate mutating func note(_ decision: Decision) {
    switch decision.verdict {
    case .deny where decision.atom == .everything: mute = decision
    case .deny: denied.insert(decision.atom)
    case .allow: allowed.insert(decision.atom)
    }
  }

  /// Returns the names of the capabilities of these atoms, each once. A word marks those that are decided for some
  /// values only.
  fileprivate func capabilities(of atoms: Set<Atom>) -> String {
    let scopes = Dictionary(grouping: atoms, by: \.capability).mapValues { Set($0.map(\.scope)) }
    return scopes.sorted { $0.key < $1.key }.map { $0.key + ($0.value.contains(.any) ? "" : " (some)") }
      .joined(separator: ", ")
  }

  fileprivate func mayUse(isPanic: Bool) -> Table.Cell {
    let names = capabilities(of: allowed)
    return isPanic && !names.isEmpty
      ? .init("\(CapabilityStatus.suspended.words): \(names)", .attention) : .init(names, .allowed)
  }

  fileprivate var now: String {
    let words = [mute.map { "muted \($0.lifetime.words)" }, waiting > 0 ? "\(waiting) waiting" : nil]
    return words.compactMap(\.self).joined(separator: ", ")
  }

  fileprivate func json(_ catalogue: CapabilityCatalogue) -> JSON {
    [
      "allowed": JSON(allowed, catalogue), "denied": JSON(denied, catalogue),
      "muted": mute.map { JSON($0.lifetime) } ?? .null, "program": JSON(subject),
      "replaced": .boolean(subject.isReplaced), "waiting": .integer(Int64(waiting)),
    ]
  }
}
