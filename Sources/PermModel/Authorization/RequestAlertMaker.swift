/// Makes the alert for a request: the question in words, the narrower choices, and the history.
package struct RequestAlertMaker {
  private let request: Request
  private let definition: CapabilityDefinition

  package init(_ request: Request, _ definition: CapabilityDefinition) {
    self.request = request
    self.definition = definition.worded(in: request.facts.dialect)
  }

  /// Returns a preliminary alert, for use while the alert waits to be shown. It lacks the facts that must be
  /// looked up in the store.
  package func summaryAlert() -> RequestAlert { alert(asking: request.atoms, .inProcess, .current) }

  /// Returns the complete alert. It asks for the atoms that are still undecided.
  ///
  /// - Parameters:
  ///   - decided: The decisions that are in force.
  ///   - joined: The other requests that the answer also applies to.
  package func alert(
    asking open: Set<Atom>, _ decided: DecidedAtoms, joined: [JoinedRequest] = [],
    in store: any PermissionStore
  ) throws(StoreError) -> RequestAlert {
    let identity = try IdentityCheck(of: request, in: store)
    var alert = alert(asking: open, identity, decided.protected)
    let offers = CoverOffers(
      request: request, open: open, decided: decided, earlier: try earlierLines(in: store))
    alert.covers = offers.all
    alert.history = try store.history(of: request.subject, capability: request.capability)
    alert.lifetimes = lifetimes(for: identity, joined)
    if open.contains(where: decided.isProtectedFolder) {
      alert.offerOnlyDenials(because: Self.protectedReason)
    }
    alert.joined = joined
    alert.restingAllow = decided.heldBack(open)?.words(asking: open, decided.facts)
    if alert.canSuggestKeeping {
      let asked = alert.atoms(choice: 0, cover: 0)
      alert.history.today = try store.timesAllowedToday(asked, to: request.subject)
    }
    return alert
  }

  /// The number of earlier requests in which similar lines are looked for.
  private static let mostEarlier = 60

  /// Returns the lines for which an agent asked in its folder before. Only requests that this one could not change are
  /// regarded, so that the alert stays the same while a person reads it.
  private func earlierLines(in store: any PermissionStore) throws(StoreError) -> [String] {
    guard request.capability == "commands", let folder = request.subject.folder else { return [] }
    let filter = JournalFilter(
      label: request.subject.label, path: request.subject.path, capability: request.capability,
      kinds: [.asked], until: request.askedAt)
    return try store.journal(filter, .newest(Self.mostEarlier))
      .filter { $0.subject?.folder == folder }.flatMap(\.atoms).compactMap { atom in
        if case .command(let line) = atom.scope { line } else { nil }
      }
  }

  private static let protectedReason =
    "\(DecidedAtoms.Obstacle.protectedFolder.words); each file in it is asked about by itself"

  private func alert(
    asking atoms: Set<Atom>, _ identity: IdentityCheck, _ protected: ProtectedNames
  ) -> RequestAlert {
    let explanation = definition.explanation(for: atoms)
    return RequestAlert(
      request: request, title: definition.title, action: definition.action(for: atoms),
      explanation: explanation, severity: severity(of: atoms, protected),
      choices: definition.choices(for: atoms), identity: identity,
      lifetimes: LifetimeOffer.all(for: identity), definition: explanation)
  }

  /// Returns the severity of allowing these atoms. Writing to a protected name is always severe.
  private func severity(of atoms: Set<Atom>, _ protected: ProtectedNames) -> Severity {
    let names = atoms.flatMap { atom in request.facts.names(of: atom) }
    return names.contains { $0.writesProtected(protected) } ? .severe : definition.severity(of: atoms)
  }

  /// Returns the lifetimes on offer. The lifetime `process` can be chosen only if a single process asks.
  private func lifetimes(for identity: IdentityCheck, _ joined: [JoinedRequest]) -> [LifetimeOffer] {
    let processes = Set(joined.map(\.process)).union([request.evidence?.process])
    return LifetimeOffer.all(for: identity, label: request.subject.label).map { offer in
      guard offer.choice == .process, offer.disabledReason == nil else { return offer }
      if request.subject.isVouched {
        return LifetimeOffer(.process, disabledReason: "its process is not known")
      }
      return processes.count > 1 ? LifetimeOffer(.process, disabledReason: "several processes ask") : offer
    }
  }
}

extension RequestAlert {
  /// Restricts every lifetime that can be chosen to denials.
  fileprivate mutating func offerOnlyDenials(because reason: String) {
    for place in lifetimes.indices where lifetimes[place].disabledReason == nil {
      lifetimes[place].denialOnlyReason = reason
    }
  }
}

// MARK: - Choices

extension CapabilityDefinition {
  /// The maximum number of choices in an alert.
  private static let mostChoices = 12

  /// Returns the requirements that a person can choose to allow: first the full requirement, then the
  /// requirements that it implies, then its subsets in decreasing size.
  func choices(for atoms: Set<Atom>) -> [RequirementChoice] {
    let asked = withoutCovered(atoms)
    var sets = [asked]
    for smaller in implied(by: asked) + subsets(of: asked) where !sets.contains(smaller) {
      sets.append(smaller)
    }
    return sets.prefix(Self.mostChoices).map { RequirementChoice(atoms: $0, title: title(for: $0)) }
  }

  /// If the requirement is a single atom, returns the lesser atoms that it implies, each as a requirement of its own.
  /// For example, full access implies limited access.
  private func implied(by atoms: Set<Atom>) -> [Set<Atom>] {
    guard let atom = atoms.first, atoms.count == 1 else { return [] }
    return parts.map { Atom(name, $0.name, atom.scope) }.filter { $0 != atom && covers(atom, $0) }.map {
      [$0]
    }
  }

  /// Returns the requirements that each leave out one atom, followed by the requirements that consist of one atom.
  private func subsets(of atoms: Set<Atom>) -> [Set<Atom>] {
    guard atoms.count > 1 else { return [] }
    let ordered = sorted(atoms)
    let withoutOne = ordered.count > 2 ? ordered.reversed().map { atoms.subtracting([$0]) } : []
    return withoutOne + ordered.map { [$0] }
  }
}

extension LifetimeOffer {
  /// Returns all lifetimes in the order in which alerts list them. If a doubt rules out a lifetime, the offer includes
  /// the reason.
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

extension RequestAlert {
  /// Returns this alert of another machine in the words of a definition on this side. The more severe of both counts.
  package func worded(by definition: CapabilityDefinition) -> RequestAlert {
    let (own, asked) = (definition.worded(in: request.facts.dialect), choices.first?.atoms ?? request.atoms)
    let titles = Dictionary(own.choices(for: asked).map { ($0.atoms, $0.title) }) { first, _ in first }
    var worded = self
    (worded.title, worded.action) = (own.title, own.action(for: asked))
    worded.definition = own.explanation(for: asked)
    worded.severity = max(severity, own.severity(of: asked))
    for place in choices.indices {
      if let title = titles[choices[place].atoms] { worded.choices[place].title = title }
    }
    return worded
  }
}
