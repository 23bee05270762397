import Machine
import Operations

/// A component that determines which capabilities a program may use, and asks a person about undecided capabilities.
///
/// Operations and conditions receive an authorizer in their initializers. Looking up a status never prompts. Only
/// asking for authorization prompts, for example with ``Authorize``.
public struct Authorizer: Sendable {
  /// The program that asks.
  public let subject: Subject
  package let answerer: any PermissionAnswerer
  /// The environment that probes examine.
  public let environment: ProbeEnvironment
  /// The restrictions that the machine's owner has set.
  package let policy: MachinePolicy
  /// The evidence about the process that asks; `nil` if this process asks.
  package var evidence: Evidence?

  package init(
    subject: Subject, answerer: any PermissionAnswerer, environment: ProbeEnvironment = .current,
    policy: MachinePolicy = .none
  ) {
    self.subject = subject
    self.answerer = answerer
    self.environment = environment
    self.policy = policy
  }

  /// Creates an authorizer that asks in a modal slot of this process, and that keeps decisions in a file.
  /// Authorizers with the same store, slot and environment share their alerts.
  public init(
    subject: Subject, store: SQLiteStore, slot: ModalSlot, environment: ProbeEnvironment = .current
  ) {
    self.init(subject: subject, store: store as any PermissionStore, slot: slot, environment: environment)
  }

  /// Creates an authorizer that asks in a modal slot of this process, and that keeps decisions in memory.
  public init(
    subject: Subject, store: MemoryStore, slot: ModalSlot, environment: ProbeEnvironment = .current
  ) {
    self.init(subject: subject, store: store as any PermissionStore, slot: slot, environment: environment)
  }

  package init(
    subject: Subject, store: any PermissionStore, slot: ModalSlot,
    environment: ProbeEnvironment = .current, policy: MachinePolicy = .none
  ) {
    self.init(
      subject: subject, answerer: LocalAnswerer.shared(store: store, slot: slot, environment: environment),
      environment: environment, policy: policy)
  }

  /// Returns an authorizer that uses the same answerer for another program. The requests of different programs
  /// never share an alert.
  public func acting(for subject: Subject) -> Authorizer { acting(for: subject, evidence: nil) }

  package func acting(for subject: Subject, evidence: Evidence?) -> Authorizer {
    var other = Authorizer(subject: subject, answerer: answerer, environment: environment, policy: policy)
    other.evidence = evidence
    return other
  }
}

// MARK: Looking

extension Authorizer {
  /// Returns the facts that currently determine a capability's status. Never prompts.
  ///
  /// - Throws: Any error of the answerer, for example a `StoreError`.
  package func facts<C: CapabilityType>(of capability: C) async throws -> CapabilityFacts {
    let (judgement, availability) = try await look(at: capability)
    return CapabilityFacts(decided: judgement.decided, availability: availability)
  }

  /// Returns whether a capability is available, and its status.
  ///
  /// - Throws: ``PartError`` if no such part of the capability can be asked for, or any error of the answerer.
  public func authorization<C: CapabilityType>(
    of capability: C
  ) async throws -> Authorization<C.Status> {
    Authorization(.known, capability, try await facts(of: capability))
  }

  func look<C: CapabilityType>(
    at capability: C, _ details: RequestDetails = RequestDetails()
  ) async throws -> (judgement: Judgement, availability: Availability) {
    // A part that does not exist is never decided, and no part at all is always allowed.
    if let wrong = capability.definition.misfit(among: capability.requirement.atoms) { throw wrong }
    let availability = await capability.availability(in: environment)
    let judgement = try await answerer.judgement(
      on: details.request?.atoms ?? capability.requirement.atoms, resolution(details),
      by: judge(of: capability))
    return (judgement.asAsked, availability)
  }

  /// Whether the answerer has to look up the meaning of values.
  func resolution(_ details: RequestDetails = RequestDetails()) -> Resolution {
    (details.request?.facts ?? details.facts).map(Resolution.done) ?? .needed(by: process)
  }

  /// The process that asks.
  private var process: AskingProcess { evidence.map(AskingProcess.init) ?? .own }

  func judge(of capability: some CapabilityType) -> Judge {
    Judge(of: subject, capability.definition, under: policy)
  }
}

// MARK: Asking

/// The details of a request besides its requirement.
package struct RequestDetails: Sendable {
  /// The program's stated reason for wanting the capability. It is untrusted text.
  package var reason: String?
  /// The lifetime that the program would like an answer to have. The person sees this suggestion, but is free
  /// to choose another lifetime.
  package var suggestedLifetime: LifetimeChoice?
  /// The time that the program waits; `nil` for no limit.
  package var patience: Duration?
  /// Text that the alert shows and that a decision never covers.
  package var shown: ShownDetails?
  /// The known facts about the values that are asked for; `nil` if their meaning must be looked up.
  package var facts: ValueFacts?
  /// A request that was made elsewhere, with the id that the asker chose. If it is given, everything
  /// above is ignored.
  package var request: Request?
  var lease: ExclusionLease?
  var whenWaiting: (@Sendable () async -> Void)?

  package init(
    reason: String? = nil, suggestedLifetime: LifetimeChoice? = nil, patience: Duration? = nil
  ) {
    self.reason = reason
    self.suggestedLifetime = suggestedLifetime
    self.patience = patience
  }

  /// Makes the details of an existing request.
  package init(_ request: Request, whenWaiting: (@Sendable () async -> Void)? = nil) {
    self.request = request
    self.whenWaiting = whenWaiting
  }
}

extension Authorizer {
  /// Returns the capability's status. If the capability is available and part of the requirement is undecided, asks a
  /// person first. Use this method to get a single answer without an operation queue.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, which also withdraws the request; ``PartError`` if no such part
  ///   of the capability can be asked for; otherwise any error of the answerer. A denial is not an error.
  public func authorize<C: CapabilityType>(
    _ capability: C, reason: String? = nil, suggestedLifetime: LifetimeChoice? = nil,
    patience: Duration? = nil
  ) async throws -> Authorization<C.Status> {
    let details = RequestDetails(reason: reason, suggestedLifetime: suggestedLifetime, patience: patience)
    return try await authorize(capability, details)
  }

  /// Returns the capability's status. If the capability is available and part of the requirement is undecided, asks a
  /// person first, unless the program is muted.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, which also withdraws the request; otherwise any
  ///   error of the answerer. A denial is not an error.
  package func authorize<C: CapabilityType>(
    _ capability: C, _ details: RequestDetails
  ) async throws -> Authorization<C.Status> {
    if let request = details.request, let end = try await answerer.end(of: request) {
      return try await again(end, capability, details)
    }
    let (judgement, availability) = try await look(at: capability, details)
    let known = CapabilityFacts(decided: judgement.decided, availability: availability)
    guard availability.isAvailable else { return Authorization(.known, capability, known) }
    guard !judgement.open.isEmpty else {
      // A decision is valid even if its use cannot be recorded.
      try? await record(judgement)
      return Authorization(.known, capability, known)
    }
    if let mute = judgement.standing.mute {
      try? await recordMute(mute, of: judgement.atoms, capability.name)
      return Authorization(.muted, capability, known)
    }
    let end = try await answerer.answer(to: asking(capability, details))
    var now = try await look(at: capability, details).judgement
    if let answer = end.answer { now = now.answering(answer) }
    let answered = CapabilityFacts(decided: now.decided, availability: availability)
    return Authorization(.asked(end), capability, answered)
  }

  /// Returns the authorization for a request that had already ended when the program made it again.
  private func again<C: CapabilityType>(
    _ end: RequestEnd, _ capability: C, _ details: RequestDetails
  ) async throws -> Authorization<C.Status> {
    var (judgement, availability) = try await look(at: capability, details)
    if let answer = end.answer {
      judgement.decided = judgement.decided.answering(again: answer, at: answerer.now)
    }
    let facts = CapabilityFacts(decided: judgement.decided, availability: availability)
    return Authorization(.asked(end), capability, facts)
  }

  private func asking(_ capability: any CapabilityType, _ details: RequestDetails) -> Asking {
    var asking = Asking(
      details.request ?? makeRequest(capability, details), capability: capability, policy: policy,
      lease: details.lease, whenWaiting: details.whenWaiting)
    if case .needed(let process) = resolution(details) { asking.spelledBy = process }
    return asking
  }

  private func makeRequest(_ capability: any CapabilityType, _ details: RequestDetails) -> Request {
    let now = answerer.now
    return Request(
      id: Request.ID(answerer.makeID()), subject: subject, capability: capability.name,
      atoms: capability.requirement.atoms, reason: details.reason,
      suggestedLifetime: details.suggestedLifetime, askedAt: now,
      givesUpAt: details.patience.map { now + $0 }, evidence: evidence,
      details: details.shown, facts: details.facts ?? ValueFacts())
  }

  /// Records an answer that was given without asking a person.
  package func record(_ judgement: Judgement) async throws {
    if !judgement.atoms.isEmpty { try await answerer.record(judgement.use) }
  }

  private func recordMute(_ mute: Decision, of atoms: Set<Atom>, _ capability: String) async throws {
    try await answerer.record(
      AutomaticAnswer(
        .deny, subject: subject, capability: capability, atoms: atoms, reason: "muted", decisions: [mute]))
  }
}

extension Authorization {
  fileprivate init<C: CapabilityType<Status>>(
    _ end: AuthorizationEnd, _ capability: C, _ facts: CapabilityFacts
  ) {
    let requirement = capability.requirement
    self.init(
      requirement, capability.status(from: facts), availability: facts.availability, end: end,
      refusal: AuthorizationRefusal(end, facts, requirement.atoms))
  }
}

extension Authorizer {
  private static let standard = Lock<Authorizer?>(nil)

  /// The authorizer for operations and conditions that were created without one. Set it once, when the program starts.
  ///
  /// To make its requests appear on the user's dashboard, a program must import PermBroker and connect to the broker:
  ///
  ///     Authorizer.default = .throughBroker()
  public static var `default`: Authorizer {
    get { standard.withLock { $0 } ?? Authorizer(subject: Subject(label: "unknown"), answerer: NoAnswerer()) }
    set { standard.withLock { $0 = newValue } }
  }
}

/// The error that is thrown if no authorizer has been set. Without an authorizer, there is no answerer to ask.
public struct NoAuthorizer: Error, Hashable, CustomStringConvertible {
  public var description: String {
    "no authorizer is set; when the program starts, import PermBroker and set Authorizer.default = .throughBroker(), "
      + "or hand an authorizer to the operation"
  }
}

/// The answerer that is used until an authorizer is set. Every look-up and every request throws ``NoAuthorizer``.
private struct NoAnswerer: PermissionAnswerer {
  func judgement(on atoms: Set<Atom>, _ values: Resolution, by judge: Judge) throws -> Judgement {
    throw NoAuthorizer()
  }
  func decisionChanges(
    on atoms: Set<Atom>, _ values: Resolution, by judge: Judge
  ) throws -> AsyncStream<Void> {
    throw NoAuthorizer()
  }
  func answer(to asking: Asking) throws -> RequestEnd { throw NoAuthorizer() }
  func record(_ answer: AutomaticAnswer) throws { throw NoAuthorizer() }
  var now: Timestamp { .now }
  func makeID() -> String { RandomID.make() }
}
