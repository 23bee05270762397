import PermModel

/// A decision that the person is making for a program that is not asking right now. It uses the same form as a request.
struct DecisionDraft: Hashable, Sendable {
  var subject: Subject
  var capability: CapabilityRow
  /// The current decision; `nil` if there is none.
  var current: DecisionRow?
  var lifetimes: [LifetimeOffer]
  /// The atoms that can be chosen, the widest first; empty if the capability and the current decision say which.
  private let proposed: [Atom]
  private let protected: ProtectedNames
  /// The name of a program that may write in the agent's folder; `nil` if there is none.
  private let writer: String?

  /// The requirements that can be chosen. A decision about certain values is changed for exactly these values.
  var choices: [RequirementChoice] {
    if !proposed.isEmpty {
      return proposed.map { RequirementChoice(atoms: [$0], title: capability.words(for: [$0])) }
    }
    guard let current, current.atoms.contains(where: { $0.scope != .any }) else { return capability.choices }
    return [RequirementChoice(atoms: Set(current.atoms), title: capability.words(for: current.atoms))]
  }

  /// Returns the end of the sentence "May backup …" about the chosen requirement.
  func action(_ chosen: RequirementChoice?) -> String {
    let isExact = choices.count == 1 || !proposed.isEmpty
    guard let definition = capability.definition, isExact, let atoms = chosen?.atoms else {
      return capability.action
    }
    return definition.action(for: atoms)
  }

  /// Returns the word that must be typed to allow these atoms, as in an alert; `nil` if none is needed.
  func typedWord(for atoms: Set<Atom>, lifetime: LifetimeChoice) -> TypedWord? {
    TypedWord(allowing: atoms, of: capability.id, capability.severity(of: atoms), for: lifetime, protected)
  }

  /// Returns the reason why an allow of these atoms would have no effect at once; `nil` if it would have one.
  func rest(of atoms: Set<Atom>, for lifetime: LifetimeChoice) -> DecidedAtoms.Obstacle? {
    let rests = atoms.contains { $0.restsWhileWritten(endsWithSession: lifetime.isWithin(.session)) }
    return rests ? writer.map { .rests(writer: $0) } : nil
  }

  /// - Parameters:
  ///   - protected: The names to which writing is allowed only with a typed word.
  ///   - writer: The name of a program that may write in the agent's folder.
  init(
    subject: Subject, capability: CapabilityRow, current: DecisionRow? = nil, proposed: [Atom] = [],
    protected: ProtectedNames, writer: String? = nil
  ) {
    self.subject = subject
    self.capability = capability
    self.current = current
    self.proposed = proposed
    self.protected = protected
    self.writer = writer
    lifetimes = [
      LifetimeOffer(.once, disabledReason: "nothing asks now"), Self.second(current?.lifetime),
      LifetimeOffer(.session), LifetimeOffer(.duration(.seconds(600))),
      LifetimeOffer(.duration(.seconds(8 * 3600))), LifetimeOffer(.forever),
    ]
    for place in lifetimes.indices where lifetimes[place].disabledReason == nil {
      lifetimes[place].denialOnlyReason = obstacle(to: lifetimes[place].choice)
    }
  }

  /// Returns the second lifetime on offer. Since no process asks, its place is free for the moment at which the decision
  /// ends now.
  private static func second(_ current: Lifetime?) -> LifetimeOffer {
    switch current {
    case .until(let deadline): LifetimeOffer(.until(deadline.wall))
    case .process(let process):
      LifetimeOffer(.process, disabledReason: "the end of pid \(process.pid) cannot be kept")
    case .session, .forever, nil: LifetimeOffer(.process, disabledReason: "no process asks now")
    }
  }

  /// The index of the lifetime that the decision has now; `nil` if it is not on offer.
  var currentLifetime: Int? {
    let choice: LifetimeChoice? =
      switch current?.lifetime {
      case .until(let deadline): .until(deadline.wall)
      case .session: .session
      case .forever: .forever
      case .process, nil: nil
      }
    return lifetimes.firstIndex { $0.choice == choice }
  }

  /// Returns the reason why an allow with this lifetime cannot be decided beforehand; `nil` if it can.
  private func obstacle(to lifetime: LifetimeChoice) -> String? {
    let atoms = choices.flatMap(\.atoms)
    if let limit = atoms.compactMap({ AllowLimit(on: $0) }).first(where: { $0.forbids(lifetime) }) {
      return limit.reason
    }
    if subject.folder == nil, atoms.contains(where: \.runsFolder) {
      return "it runs what the files in a folder say, and this program has none"
    }
    let isProtected = atoms.contains { $0.isProtectedFolder(protected) }
    return isProtected ? DecidedAtoms.Obstacle.protectedFolder.words : nil
  }
}
