/// Determines what decisions, the machine's policy, a panic and the known facts say about one program's use of one
/// capability.
///
/// A judge looks nothing up and remembers nothing, so every process that has the same decisions reaches the same
/// judgement.
package struct Judge: Hashable, Sendable {
  package let subject: Subject
  package let definition: CapabilityDefinition
  private let policy: MachinePolicy
  /// The atoms that the policy forbids to the program.
  private var restricted: Set<Atom>

  package init(of subject: Subject, _ definition: CapabilityDefinition, under policy: MachinePolicy) {
    self.subject = subject
    self.definition = definition
    self.policy = policy
    restricted = policy.restricted(for: subject, definition)
  }

  /// Returns the judge of the program's use of another capability.
  func judge(of other: CapabilityDefinition) -> Judge { Judge(of: subject, other, under: policy) }

  /// Returns the scopes that are denied, or that the policy forbids.
  func deniedScopes(_ standing: Standing) -> Set<Scope> {
    let denials = (standing.decisions.values + standing.everyone).filter { $0.verdict == .deny }
    return Set(denials.map(\.atom.scope) + restricted.map(\.scope))
  }

  /// Returns the same judge, for whom the policy forbids only some of what it forbids.
  private func restricted(where isIncluded: (Atom) -> Bool) -> Judge {
    var copy = self
    copy.restricted = restricted.filter(isIncluded)
    return copy
  }

  /// Returns the judgement on a request for some atoms, or on one that nobody has made yet.
  ///
  /// - Parameters:
  ///   - standing: The decisions that are in force. It can leave out those on which the atoms do not depend.
  ///   - facts: The known facts about the values that are asked for.
  package func judgement(
    on atoms: Set<Atom>, _ standing: Standing, _ facts: ValueFacts = ValueFacts()
  ) -> Judgement {
    let decided = DecidedAtoms(
      definition, decisions: standing.decisions.values + standing.everyone, restricted: restricted,
      isSuspended: standing.suspension != nil, facts: facts, protected: standing.protected)
    return Judgement(subject: subject, atoms: atoms, standing: standing, decided: decided)
  }
}

// MARK: - What an allow is worth

/// The effect of a kept decision now.
package enum DecisionEffect: Hashable, Sendable {
  case holds
  /// An allow that a denial for everyone or the machine's policy takes back for some values.
  case holdsPartly
  /// An allow that has no effect while the panic lasts.
  case suspended
  /// An allow that has no effect because everyone is denied the same.
  case deniedForEveryone
  /// An allow that has no effect because the machine's policy forbids the same.
  case forbiddenByPolicy
}

extension Judge {
  /// Whether the policy forbids anything of the capability to the program.
  package var hasRestrictions: Bool { !restricted.isEmpty }

  /// Returns the effect of a kept allow, by the rules that also determine the answers to requests.
  ///
  /// - Parameters:
  ///   - denials: The denials of this capability for everyone.
  ///   - panicSince: The beginning of the panic; `nil` if there is none.
  package func effect(
    of allow: Decision, beside denials: [Decision], panicSince: Timestamp?
  ) -> DecisionEffect {
    let scope = allow.atom.scope
    // A denial of only some of the values leaves the others allowed.
    let whole = restricted { $0.scope.denied.covers(scope) }
      .state(of: allow, beside: denials.filter { $0.atom.scope.denied.covers(scope) })
    switch Outlook([whole], mute: nil, suspendedSince: panicSince).cause {
    case .policy: return .forbiddenByPolicy
    case .panic: return whole == .denied ? .deniedForEveryone : .suspended
    case .decision where whole == .allowed:
      return state(of: allow, beside: denials) == .allowed ? .holds : .holdsPartly
    default: return whole == .denied ? .deniedForEveryone : .holdsPartly
    }
  }

  private func state(of allow: Decision, beside denials: [Decision]) -> AtomState {
    var standing = Standing(decisions: [allow.atom: allow])
    standing.everyone = denials
    return judgement(on: [allow.atom], standing).decided.state(of: allow.atom)
  }

  /// Whether denials for everyone, or the policy, leave no program anything of a capability.
  ///
  /// - Parameter denials: The denials of this capability for everyone.
  package static func isDeniedToEveryone(
    _ definition: CapabilityDefinition, by denials: [Decision], under policy: MachinePolicy
  ) -> Bool {
    let anyone = Subject(label: "")
    var standing = Standing()
    standing.everyone = denials.filter { $0.atom.scope == .any }
    let judgement = Judge(of: anyone, definition, under: .none).judgement(on: [], standing)
    return definition.atoms.allSatisfy {
      judgement.decided.state(of: $0) == .denied || policy.forbids($0, to: anyone, definition)
    }
  }
}

// MARK: - Deciding beforehand

extension Judge {
  /// Checks that an allow that is made beforehand would have an effect, and that it is not kept for too long.
  ///
  /// - Parameters:
  ///   - lifetime: If it is `nil`, each decision has the longest lifetime that it can have.
  ///   - standing: The decisions that are in force.
  ///   - moment: The time at which the allow is made.
  package func checkAllowing(
    _ atoms: Set<Atom>, for lifetime: LifetimeChoice?, _ standing: Standing, at moment: Timestamp
  ) throws(DecisionRefused) {
    if subject.isEveryone { throw .everyoneIsOnlyDenied }
    for atom in atoms.sorted() { try checkAllowing(atom, for: lifetime, standing.protected) }
    if let denial = denial(of: atoms, outweighingAnAllowAt: moment, standing) {
      throw .denied(denial, definition.reference(for: [denial.atom]))
    }
  }

  private func checkAllowing(
    _ atom: Atom, for lifetime: LifetimeChoice?, _ protected: ProtectedNames
  ) throws(DecisionRefused) {
    let what = definition.reference(for: [atom])
    if let limit = AllowLimit(on: atom) {
      if limit.longest == .once { throw .neverAllowedBeforehand(what, reason: limit.reason) }
      if let lifetime, limit.forbids(lifetime) { throw .allowedTooLong(what, reason: limit.reason) }
    }
    if atom.isProtectedFolder(protected) { throw .protectedFolder(what) }
    if atom.runsFolder, subject.folder == nil { throw .needsFolder(what) }
    if policy.forbids(atom, to: subject, definition) { throw .forbiddenByPolicy(what) }
  }

  /// Returns a denial because of which an allow would have no effect; `nil` if there is none. An allow of several values
  /// has an effect on those that are not denied. The policy has been checked before, and a panic passes.
  private func denial(
    of atoms: Set<Atom>, outweighingAnAllowAt moment: Timestamp, _ standing: Standing
  ) -> Decision? {
    let forEveryone = standing.everyone.first { denial in
      atoms.contains { definition.denies(denial.atom, $0) }
    }
    if let forEveryone { return forEveryone }
    var standing = standing
    standing.suspension = nil
    let decided = restricted { _ in false }.judgement(on: atoms, standing).decided
      .answering(.allow, atoms, at: moment, isKept: true)
    let denied = atoms.filter { $0.scope.isValue && decided.state(of: $0) == .denied }
    return decided.decisions(behind: denied).first
  }
}
