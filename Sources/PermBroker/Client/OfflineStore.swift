import Machine
import Operations
package import PermModel

/// The store that a program uses for its requests while no broker is running. It is opened when first needed.
package final class OfflineStore: Sendable {
  let environment: StoreEnvironment
  let probes: ProbeEnvironment
  let policy: @Sendable () -> MachinePolicy
  /// The origin that is recorded for changes made through this object.
  let origin: Origin
  private let make: (@Sendable () throws -> any PermissionStore)?
  /// Adds to a request the facts that a broker finds out itself.
  let complete: @Sendable (Request) -> Request
  private let opened = Lock<Opened?>(nil)

  private struct Opened: Sendable {
    let store: any PermissionStore
    let answers: AutomaticAnswerBook
  }

  /// - Parameters:
  ///   - policy: The machine's policy, evaluated each time it is needed.
  ///   - complete: Adds to a request the facts that a broker finds out itself.
  ///   - make: A function that opens the store; `nil` if the store is outside this machine or sandbox.
  package init(
    environment: StoreEnvironment, probes: ProbeEnvironment = .current,
    policy: @autoclosure @escaping @Sendable () -> MachinePolicy = .none, origin: Origin = .library,
    complete: @escaping @Sendable (Request) -> Request = { $0 },
    make: (@Sendable () throws -> any PermissionStore)?
  ) {
    self.environment = environment
    self.probes = probes
    self.policy = policy
    self.origin = origin
    self.complete = complete
    self.make = make
  }

  /// Whether the store is on this machine and in this sandbox.
  var isHere: Bool { make != nil }

  func open() throws -> any PermissionStore { try openOnce().store }

  private func openOnce() throws -> Opened {
    if let opened = opened.withLock({ $0 }) { return opened }
    guard let make else { throw BrokerSocketError.nobodyListens }
    let store = try make()
    let new = Opened(store: store, answers: AutomaticAnswerBook(store))
    return opened.withLock { opened in
      if let other = opened { return other }
      opened = new
      return new
    }
  }

  /// Records an answer that was given without asking a person.
  func record(_ answer: AutomaticAnswer) throws { try openOnce().answers.record(answer) }

  /// Returns an answerer that shows no alerts. The answerer answers requests from the decisions in the store, including those
  /// that others make while a request waits.
  func answerer() throws -> LocalAnswerer {
    let slot = ModalSlot(BoardKeeper(Board(), exclusion: ExclusionScheduler()))
    let opened = try openOnce()
    return LocalAnswerer(
      store: opened.store, slot: slot, environment: probes, origin: origin, answers: opened.answers)
  }

  /// Evaluates a request as a broker would. If a person must be asked, waits until the answer is in the store.
  ///
  /// - Parameters:
  ///   - asked: The values as the program asked for them.
  ///   - whenWaiting: Called when the request begins to wait for a person.
  func end<C: CapabilityType>(
    of request: Request, asking asked: AskedValues, _ capability: C, at answerer: LocalAnswerer,
    whenWaiting: @escaping @Sendable () async -> Void
  ) async throws -> RequestEnd {
    let policy = policy()
    var authorizer = Authorizer(
      subject: request.subject, answerer: answerer, environment: probes, policy: policy)
    authorizer.evidence = request.evidence
    let outcome = try await authorizer.authorize(
      capability, RequestDetails(request, whenWaiting: whenWaiting))
    let isMet = outcome.status.meets(capability.requirement)
    let end = try open().end(of: request, outcome, isMet: isMet, capability.definition, under: policy)
    if end.answer?.verdict == .allow, case .asked = outcome.end, !asked.isFixed,
      try await !resolve(asked, for: request, capability.definition).isMeant(by: request)
    {
      return .withdrawn(reason: RequestEnd.pathChanged)
    }
    return end.naming(request, capability.definition)
  }

  /// Returns the link between a request in the store and the program's own terminal.
  func questionLine(for asking: Asking) throws -> QuestionLine {
    let store = try open()
    let request = asking.request
    let descriptor = CapabilityDescriptor(asking.capability.definition) { _ in asking.capability }
    let control = StoreControl(
      store, catalogue: CapabilityCatalogue([descriptor]), policy: policy(), origin: .terminal)
    return QuestionLine(
      note: { isAsked in
        let terminal = request.evidence?.terminal ?? "its own terminal"
        try store.setTerminal(request.id, isAsked ? terminal : nil)
        return isAsked
      },
      answer: { try control.answer(request.id, onItsTerminal: $0) })
  }

  /// Returns the alert for a request, as a broker would show it.
  ///
  /// - Parameter definition: The definition of the capability that counts, if it is not the one of this process.
  func alert(for asking: Asking, in definition: CapabilityDefinition? = nil) throws -> Alert {
    let request = asking.request
    let definition = definition ?? asking.capability.definition
    let maker = RequestAlertMaker(request, definition)
    var content = maker.summaryAlert()
    content.identity = request.evidence?.doubt == nil ? .firstTime : .fileless
    if make != nil {
      let store = try open()
      let judgement = try store.judgement(on: request, definition, under: asking.policy)
      content = try maker.alert(asking: request.atoms, judgement.decided, in: store)
    }
    return Alert(id: Alert.ID(request.id.text), content: .request(content))
  }
}
