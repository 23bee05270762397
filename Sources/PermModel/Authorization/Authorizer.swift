import Operations

/// Knows what a program may use, and asks a person where that is not decided.
///
/// It is handed to operations and conditions by their initializers. Looking never prompts; only ``Authorize``
/// does.
public struct Authorizer: Sendable {
  /// Who asks.
  public let subject: Subject
  public let desk: any PermissionDesk
  /// Where probes look.
  public let environment: ProbeEnvironment
  /// What the machine's owner forbids.
  public let policy: MachinePolicy
  /// The process that asks; `nil` for this one.
  public var evidence: Evidence?

  public init(
    subject: Subject, desk: any PermissionDesk, environment: ProbeEnvironment = .current,
    policy: MachinePolicy = .none
  ) {
    self.subject = subject
    self.desk = desk
    self.environment = environment
    self.policy = policy
  }

  /// Asks a store and the modal slot of this process. Authorizers on the same store and slot share their alerts.
  public init(
    subject: Subject, store: any PermissionStore, slot: ModalSlot,
    environment: ProbeEnvironment = .current, policy: MachinePolicy = .none
  ) {
    self.init(
      subject: subject, desk: LocalDesk.shared(store: store, slot: slot, environment: environment),
      environment: environment, policy: policy)
  }

  /// The same desk on behalf of another program, whose requests join with their own kind only.
  public func acting(for subject: Subject, evidence: Evidence? = nil) -> Authorizer {
    var other = Authorizer(subject: subject, desk: desk, environment: environment, policy: policy)
    other.evidence = evidence
    return other
  }
}

// MARK: Looking

extension Authorizer {
  /// What a capability's status is made of, now. It prompts nobody.
  ///
  /// - Throws: what the desk throws, for example a `StoreError`.
  public func facts<C: CapabilityType>(of capability: C) async throws -> CapabilityFacts {
    try await look(at: capability).facts
  }

  /// Whether a capability is available, and its status.
  public func authorization<C: CapabilityType>(
    of capability: C
  ) async throws -> Authorization<C.Status> {
    let facts = try await facts(of: capability)
    return Authorization(
      availability: facts.availability, status: capability.status(from: facts), end: .known)
  }

  func look<C: CapabilityType>(
    at capability: C
  ) async throws -> (facts: CapabilityFacts, standing: Standing) {
    let availability = await capability.availability(in: environment)
    let standing = try await desk.standing(of: subject, capability: capability.name)
    let decided = DecidedAtoms(
      capability.definition, standing: standing,
      restricted: policy.restricted(for: subject, capability.definition))
    return (CapabilityFacts(decided: decided, availability: availability), standing)
  }
}

// MARK: Asking

/// What a request says beside what it asks for.
package struct RequestDetails: Sendable {
  /// What the program says it wants it for. Foreign text.
  package var reason: String?
  /// How long the program would like an answer to hold. The person sees it, and chooses.
  package var suggestedLifetime: LifetimeChoice?
  /// How long the program waits; `nil` for without limit.
  package var patience: Duration?
  /// The request as it came from elsewhere, under the id that the asker chose. The rest is then ignored.
  package var request: Request?
  var lease: ExclusionLease?
  /// Called once the request is in the store and waits for a person.
  var whenWaiting: (@Sendable () async -> Void)?

  package init(
    reason: String? = nil, suggestedLifetime: LifetimeChoice? = nil, patience: Duration? = nil
  ) {
    self.reason = reason
    self.suggestedLifetime = suggestedLifetime
    self.patience = patience
  }

  /// A request that is there already.
  package init(_ request: Request) { self.request = request }

  /// - Parameter whenWaiting: Called once the request is in the store and waits for a person.
  package init(_ request: Request, whenWaiting: @escaping @Sendable () async -> Void) {
    self.request = request
    self.whenWaiting = whenWaiting
  }
}

extension Authorizer {
  /// Returns the capability's status, after asking a person if the capability is available and partly undecided: one
  /// answer without a queue.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, which withdraws the request; otherwise any error of
  ///   the desk. A denial is not an error.
  public func authorize<C: CapabilityType>(
    _ capability: C, reason: String? = nil, suggestedLifetime: LifetimeChoice? = nil,
    patience: Duration? = nil
  ) async throws -> Authorization<C.Status> {
    let details = RequestDetails(reason: reason, suggestedLifetime: suggestedLifetime, patience: patience)
    return try await authorize(capability, details)
  }

  /// Finds out what holds, and asks a person if the capability is available and something of it is undecided.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, which withdraws the request; else what the desk
  ///   throws. A denial is no error.
  package func authorize<C: CapabilityType>(
    _ capability: C, _ details: RequestDetails
  ) async throws -> Authorization<C.Status> {
    if let request = details.request, let end = try await desk.end(of: request) {
      return try await again(end, capability)
    }
    let (facts, standing) = try await look(at: capability)
    let wanted = capability.requirement.atoms
    guard facts.availability.isAvailable else { return result(.known, capability, facts) }
    guard !facts.decided.atoms(wanted, in: [.undecided]).isEmpty else {
      // An answer holds though it cannot be noted.
      try? await recordUse(of: wanted, facts.decided, standing)
      return result(.known, capability, facts)
    }
    if let mute = standing.mute {
      try? await recordMute(mute, of: wanted, capability.name)
      return result(.muted, capability, facts)
    }
    let end = try await desk.answer(to: asking(capability, details))
    return result(.asked(end), capability, try await self.facts(of: capability))
  }

  /// The end that a request had before, for the program that asks for it again.
  private func again<C: CapabilityType>(
    _ end: RequestEnd, _ capability: C
  ) async throws -> Authorization<C.Status> {
    var facts = try await facts(of: capability)
    if let answer = end.answer { facts.decided = facts.decided.answering(again: answer, at: desk.now) }
    return Authorization(
      availability: facts.availability, status: capability.status(from: facts), end: .asked(end))
  }

  func result<C: CapabilityType>(
    _ end: AuthorizationEnd, _ capability: C, _ facts: CapabilityFacts
  ) -> Authorization<C.Status> {
    var facts = facts
    if let answer = end.answer { facts.decided = facts.decided.answering(answer) }
    return Authorization(
      availability: facts.availability, status: capability.status(from: facts), end: end)
  }

  private func asking(_ capability: any CapabilityType, _ details: RequestDetails) -> Asking {
    let restricted = policy.restricted(for: subject, capability.definition)
    let request = details.request ?? makeRequest(capability, details)
    var asking = Asking(request, capability: capability, restricted: restricted, lease: details.lease)
    asking.whenWaiting = details.whenWaiting
    return asking
  }

  private func makeRequest(_ capability: any CapabilityType, _ details: RequestDetails) -> Request {
    let now = desk.now
    return Request(
      id: Request.ID(desk.makeID()), subject: subject, capability: capability.name,
      atoms: capability.requirement.atoms, reason: details.reason,
      suggestedLifetime: details.suggestedLifetime, askedAt: now,
      givesUpAt: details.patience.map { now + $0 }, evidence: evidence)
  }

  /// Notes that decisions answered. What the policy answered was no decision.
  func recordUse(of atoms: Set<Atom>, _ decided: DecidedAtoms, _ standing: Standing) async throws {
    let speaking = standing.decisions.values.filter { decision in
      atoms.contains { decided.definition.covers(decision.atom, $0) }
    }
    guard !atoms.isEmpty else { return }
    let isAllowed = decided.allows(atoms)
    let isRestricted = !decided.atoms(atoms, in: [.restricted]).isEmpty
    let reason = standing.suspension == nil ? "decided before" : "all allows are suspended"
    try await desk.record(
      AutomaticAnswer(
        isAllowed ? .allow : .deny, subject: subject, capability: decided.definition.name, atoms: atoms,
        reason: isRestricted ? "forbidden by the machine's policy" : reason,
        decisions: speaking.filter { ($0.verdict == .allow) == isAllowed }))
  }

  private func recordMute(_ mute: Decision, of atoms: Set<Atom>, _ capability: String) async throws {
    try await desk.record(
      AutomaticAnswer(
        .deny, subject: subject, capability: capability, atoms: atoms, reason: "muted", decisions: [mute]))
  }
}
