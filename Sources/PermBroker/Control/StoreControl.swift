package import PermModel

/// Does what persons want done in a store: for the broker that serves it, or for a command that found none.
package struct StoreControl: PermissionControl {
  private let store: any PermissionStore
  private let catalogue: CapabilityCatalogue
  /// Who makes the changes.
  private let origin: Origin

  package init(
    _ store: any PermissionStore, catalogue: CapabilityCatalogue, origin: Origin = .commandLineAlone
  ) {
    self.store = store
    self.catalogue = catalogue
    self.origin = origin
  }

  package func pending() throws -> [PendingRequest] {
    try store.waitingRequests().map {
      PendingRequest($0, identity: try IdentityCheck(of: $0.request, in: store))
    }
  }

  package func journal(_ filter: JournalFilter, _ page: JournalPage) throws -> [JournalEntry] {
    try store.journal(filter, page)
  }

  // MARK: Answering

  /// Leaves the answer in the store, where whoever waits finds it.
  package func answer(
    _ id: Request.ID, _ verdict: Verdict?, for lifetime: LifetimeChoice, note: String?
  ) throws {
    let request = try waitingRequest(id)
    guard let verdict else { return try close(id, .dismissed) }
    let answer = Answer(verdict, atoms: request.atoms, lifetime: lifetime, note: note, origin: origin)
    try check(answer, of: request)
    try close(id, .answered(answer))
  }

  /// - Throws: ``BrokerError/noSuchRequest(_:)`` if none of that id waits.
  func waitingRequest(_ id: Request.ID) throws -> Request {
    guard let found = try store.waitingRequests().first(where: { $0.id == id }) else {
      throw BrokerError.noSuchRequest(id.text)
    }
    return found.request
  }

  /// Refuses what an alert would not offer either.
  func check(_ answer: Answer, of request: Request) throws {
    if case .process = answer.lifetime, request.evidence == nil {
      throw BrokerError.invalid(parameter: "lifetime", reason: "the program's process is not known")
    }
    guard answer.lifetime != .once else { return }
    let identity = try IdentityCheck(of: request, in: store)
    if let reason = identity.obstacle(to: answer.verdict, for: answer.lifetime, label: request.subject.label)
    {
      throw BrokerError.invalid(parameter: "lifetime", reason: "it cannot be kept so long: \(reason)")
    }
  }

  /// Answers a request as the person did on the program's own terminal: for this request only, and keeping nothing.
  ///
  /// - Returns: `false` if it has ended, or if decisions, the policy, a mute or a panic answer it by now.
  package func answer(
    _ id: Request.ID, onItsTerminal verdict: Verdict, policy: MachinePolicy
  ) throws -> Bool {
    guard let request = try store.waitingRequests().first(where: { $0.id == id })?.request,
      let definition = catalogue[request.capability]?.definition
    else { return false }
    let standing = try store.standing(of: request.subject, capability: request.capability)
    let restricted = policy.restricted(for: request.subject, definition)
    let decided = DecidedAtoms(definition, standing: standing, restricted: restricted)
    let open = decided.atoms(request.atoms, in: [.undecided])
    guard !open.isEmpty, standing.mute == nil else { return false }
    let outcome = RequestOutcome.answered(Answer(verdict, atoms: open, origin: .terminal))
    return try !store.close(id, outcome, by: .terminal).requests.isEmpty
  }

  /// Ends a request that is only in the store.
  func close(_ id: Request.ID, _ outcome: RequestOutcome) throws {
    guard try !store.close(id, outcome, by: origin).requests.isEmpty else {
      throw BrokerError.noSuchRequest(id.text)
    }
  }

  // MARK: Deciding

  package func decide(
    _ verdict: Verdict, _ program: String, _ requirement: String, for lifetime: LifetimeChoice
  ) throws -> [Decision] { try decide(verdict, program, requirement, for: lifetime, note: nil) }

  func decide(
    _ verdict: Verdict, _ program: String, _ requirement: String, for lifetime: LifetimeChoice, note: String?
  ) throws -> [Decision] {
    let reference = try reference(requirement)
    guard lifetime != .once, lifetime != .process else {
      throw BrokerError.invalid(
        parameter: "lifetime", reason: "there is no request and no process to tie it to")
    }
    try lifetime.checkAhead(of: store.environment.now().wall)
    let ruling = Ruling(
      verdict, subject: try ProgramName(program).decidable(in: store), atoms: reference.atoms,
      lifetime: lifetime, note: note)
    return try store.decide(ruling, by: origin)
  }

  package func forget(_ program: String, _ requirement: String?) throws -> [Decision] {
    let subjects = try ProgramName(program).known(in: store)
    guard !subjects.isEmpty else {
      let labels = try store.programs(after: nil, limit: 1000).map(\.subject.label)
      throw BrokerError.noSuchProgram(program, meant: program.nearest(in: labels))
    }
    var filter = DecisionFilter(label: subjects[0].label, path: ProgramName(program).path)
    if let requirement, requirement.contains(":") {
      filter.atoms = try reference(requirement).atoms
    } else {
      filter.capability = requirement
    }
    return try store.forget(filter, by: origin)
  }

  private func reference(_ text: String) throws(BrokerError) -> CapabilityReference {
    do {
      return try catalogue.parse(text)
    } catch {
      throw .unknownCapability(reason: "\(error)")
    }
  }

  // MARK: Undoing

  package func undo(onlyTelling: Bool) throws -> DecisionChange {
    let preview = try undo(nil, onlyTelling: onlyTelling)
    guard preview.conflicts.isEmpty else { throw BrokerError.undoRefused(preview.conflicts) }
    return preview.change
  }

  /// Takes a change back, unless there are conflicts or it is only to be told.
  func undo(_ change: DecisionChange.ID?, onlyTelling: Bool) throws -> UndoPreview {
    guard let preview = try store.undoPreview(of: change) else { throw BrokerError.nothingToUndo }
    guard !onlyTelling, preview.conflicts.isEmpty else { return preview }
    return try store.undo(change, by: origin)
  }
}

extension BrokerError {
  static func undoRefused(_ conflicts: [UndoConflict]) -> BrokerError {
    .undoRefused(reason: conflicts.map(\.inWords).joined(separator: "; "))
  }
}

extension UndoConflict {
  /// Which decision changed since.
  var inWords: String { "\(key.atom) for \(key.subject) was changed since" }
}
