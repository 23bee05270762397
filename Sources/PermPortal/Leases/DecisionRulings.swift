import Machine
import PermModel

/// The rulings about rows that follow from the decisions in our store and the machine's policy.
struct DecisionRulings: Sendable {
  let store: any PermissionStore
  let policy: MachinePolicy

  /// The ruling about a row, and when it ends by the clock.
  struct Found: Hashable, Sendable {
    var ruling: RowRuling
    var end: Timestamp?

    static let open = Found(ruling: .open)
  }

  /// Returns the ruling about a row. If the decisions cannot be read, nothing is allowed until they can.
  func find(_ row: PermissionRow) -> Found {
    // A decision about an app without a name is never kept.
    guard let use = PortalUse(row), let subject = Subject(vouched: "app:\(row.app)"), !subject.isNamelessApp,
      let name = use.atoms.first?.capability, let capability = CapabilityCatalogue.builtIn[name],
      let standing = try? store.standing(of: subject, capability: name, asking: use.atoms)
    else { return .open }
    let judge = Judge(of: subject, capability.definition, under: policy)
    let whole = judge.judgement(on: use.atoms, standing)
    let lesser = use.lesser.map { judge.judgement(on: $0, standing) }
    return Found(ruling: ruling(whole, lesser), end: standing.nextEnd)
  }

  private func ruling(_ whole: Judgement, _ lesser: Judgement?) -> RowRuling {
    if whole.standing.suspension != nil { return .open }
    if whole.isAllowed { return .allow }
    if lesser?.isAllowed == true { return .lesser }
    return whole.outlook.verdict == .deny ? .deny : .open
  }
}

extension DecisionsInForce {
  /// The next moment at which a decision ends; `nil` if none ends by the clock.
  fileprivate var nextEnd: Timestamp? {
    let ends = (Array(decisions.values) + everyone).compactMap { decision -> Timestamp? in
      if case .until(let deadline) = decision.lifetime { deadline.wall } else { nil }
    }
    return ends.min()
  }
}
