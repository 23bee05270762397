/// Makes the alert for a request: what is asked in words, what may be allowed instead, and what went before.
struct RequestAlertMaker {
  let request: Request
  private let capability: any CapabilityType
  private let environment: ProbeEnvironment
  private var definition: CapabilityDefinition { capability.definition }

  init(_ asking: Asking, environment: ProbeEnvironment) {
    request = asking.request
    capability = asking.capability
    self.environment = environment
  }

  /// The alert as it waits to be shown, without what must be looked up.
  func summaryAlert() -> Alert {
    alert(request.atoms, explanation: definition.explanation(for: request.atoms), identity: .inProcess)
  }

  /// The alert as it is shown, for the atoms that are still undecided.
  func alert(asking open: Set<Atom>, store: any PermissionStore) async throws(StoreError) -> Alert {
    let explanation = await capability.explanation(for: open, in: environment)
    let history = try store.history(of: request.subject, capability: request.capability)
    let identity = try IdentityCheck(of: request, in: store)
    return alert(open, explanation: explanation, identity: identity, history: history)
  }

  private func alert(
    _ atoms: Set<Atom>, explanation: String, identity: IdentityCheck,
    history: AnswerHistory = AnswerHistory()
  ) -> Alert {
    let content = RequestAlert(
      request: request, title: definition.title, action: definition.action(for: atoms),
      explanation: explanation, severity: definition.severity(of: atoms),
      choices: RequirementNarrowing(definition).choices(for: atoms), history: history,
      identity: identity, lifetimes: LifetimeOffer.all(for: identity, label: request.subject.label))
    return Alert(id: Alert.ID(request.id.text), content: .request(content))
  }
}

/// What a person may allow instead of what was asked.
struct RequirementNarrowing {
  private let definition: CapabilityDefinition
  /// More than these would not fit an alert.
  private static let limit = 12

  init(_ definition: CapabilityDefinition) { self.definition = definition }

  /// The full requirement first, then what is implied by it, then its parts: fewer with each.
  func choices(for atoms: Set<Atom>) -> [RequirementChoice] {
    let asked = definition.withoutCovered(atoms)
    var sets = [asked]
    for smaller in implied(by: asked) + subsets(of: asked) where !sets.contains(smaller) {
      sets.append(smaller)
    }
    return sets.prefix(Self.limit).map { RequirementChoice(atoms: $0, title: definition.title(for: $0)) }
  }

  /// For a single atom, what it implies: the limited instead of all, when in use instead of always.
  private func implied(by atoms: Set<Atom>) -> [Set<Atom>] {
    guard let atom = atoms.first, atoms.count == 1 else { return [] }
    let container = PartReference(atom.name, splitting: definition.takesContainers).container
    return definition.parts.map { part in
      Atom(definition.name, container.map { "\(part.name)@\($0)" } ?? part.name)
    }.filter { $0 != atom && definition.covers(atom, $0) }.map { [$0] }
  }

  /// The requirement without one atom, and then each atom alone.
  private func subsets(of atoms: Set<Atom>) -> [Set<Atom>] {
    guard atoms.count > 1 else { return [] }
    let ordered = definition.sorted(atoms)
    let withoutOne = ordered.count > 2 ? ordered.reversed().map { atoms.subtracting([$0]) } : []
    return withoutOne + ordered.map { [$0] }
  }
}

extension LifetimeOffer {
  /// All lifetimes in the order of alerts, those that a doubt rules out with the reason.
  static func all(for identity: IdentityCheck, label: String = "") -> [LifetimeOffer] {
    let choices: [LifetimeChoice] = [
      .once, .process, .session, .duration(.seconds(600)), .duration(.seconds(8 * 3600)), .forever,
    ]
    return choices.map { choice in
      let disabled = identity.obstacle(to: .deny, for: choice, label: label)
      let denialOnly = identity.obstacle(to: .allow, for: choice, label: label)
      return LifetimeOffer(
        choice, disabledReason: disabled, denialOnlyReason: disabled == nil ? denialOnly : nil)
    }
  }
}
