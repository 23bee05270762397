import PermModel

// The method `Status` at the socket `ask`, which never tells because of which decision the answer is as it is.

extension Broker {
  func status(
    _ parameters: Methods.Status.Parameters, from call: CallRouter.Call,
    _ send: @escaping CallRouter.Send<Methods.Status.Reply>
  ) async throws -> Methods.Status.Reply {
    let asked = try lookUp(parameters)
    let (seen, subject) = try asker(
      at: call.peer, label: parameters.label, isInFolder: parameters.inFolder ?? false, withChain: false)
    guard call.takesMore else { return try await status(of: subject, seen, asked) }
    let program = CostAccount(seen, at: call.peer).program
    try ledger.beginStream(of: program)
    defer { ledger.endStream(of: program) }
    var last: Methods.Status.Reply?
    let found = try await resolve(asked, for: seen, subject, forAlert: false)
    let changes = try answerer.decisionChanges(
      on: found.atoms, .done(found.facts), by: try judge(of: subject, asked.capability))
    for await _ in changes {
      let now = try await status(of: subject, seen, asked)
      if now != last { try await send(now) }
      last = now
    }
    return try await status(of: subject, seen, asked)
  }

  private func status(
    of subject: Subject, _ seen: IdentifiedProgram, _ asked: AskedValues
  ) async throws -> Methods.Status.Reply {
    let descriptor = try descriptor(of: asked.capability)
    let found = try await resolve(asked, for: seen, subject, forAlert: false)
    let atoms = found.atoms.union(descriptor.definition.atoms)
    let judgement = try store.judgement(
      on: atoms, found.facts, by: try judge(of: subject, asked.capability))
    let decided = judgement.decided
    let availability = await descriptor.availability(for: found.atoms, in: settings.probes)
    return Methods.Status.Reply(
      found.asAsked(found.atoms), allowed: found.asAsked(decided.atoms(atoms, in: [.allowed])),
      denied: found.asAsked(decided.atoms(atoms, in: judgement.standing.unaskedStates)), availability)
  }

  /// Returns the capability and the parts to look up. Even a capability that can only be requested in parts can be
  /// looked up as a whole.
  private func lookUp(_ parameters: Methods.Status.Parameters) throws(BrokerError) -> AskedValues {
    let (text, catalogue) = (parameters.capability, settings.catalogue)
    guard parameters.values == nil, parameters.parts?.isEmpty != false else {
      return try catalogue.asked(text, parts: parameters.parts, values: parameters.values)
    }
    try CapabilityCatalogue.refuseValues(inText: text)
    guard let definition = catalogue[text]?.definition, (try? catalogue.parse(text)) == nil else {
      return AskedValues(try catalogue.reference(text))
    }
    return AskedValues(CapabilityReference(capability: text, atoms: Set(definition.atoms)))
  }
}

extension DecisionsInForce {
  /// The states in which a request is denied without asking anybody. A muted program is not asked about.
  fileprivate var unaskedStates: Set<AtomState> {
    mute == nil ? [.denied, .restricted] : [.denied, .restricted, .undecided]
  }
}

extension Methods.Status.Reply {
  fileprivate init(
    _ asked: Set<Atom>, allowed: Set<Atom>, denied: Set<Atom>, _ availability: Availability
  ) {
    let isKnown = asked.isSubset(of: allowed.union(denied))
    self.init(
      state: asked.isSubset(of: allowed) ? .allowed : isKnown ? .denied : .ask,
      available: availability.isAvailable, allowed: allowed.wholeParts, denied: denied.wholeParts,
      allowedValues: allowed.wireValues, deniedValues: denied.wireValues)
    if case .unavailable(let why) = availability { explanation = "\(why)" }
  }
}
