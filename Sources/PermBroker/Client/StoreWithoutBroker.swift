import Machine
import Operations
package import PermModel

/// The store of a program that asks while there is no broker. It is opened when it is first needed.
package final class StoreWithoutBroker: Sendable {
  let environment: StoreEnvironment
  private let probes: ProbeEnvironment
  private let policy: @Sendable () -> MachinePolicy
  /// The origin of changes made here.
  let origin: Origin
  private let make: (@Sendable () throws -> any PermissionStore)?
  private let opened = Lock<(any PermissionStore)?>(nil)

  /// - Parameters:
  ///   - policy: Read when it is needed.
  ///   - make: Opens the store; `nil` if this machine has none.
  package init(
    environment: StoreEnvironment, probes: ProbeEnvironment = .current,
    policy: @autoclosure @escaping @Sendable () -> MachinePolicy = .none, origin: Origin = .library,
    make: (@Sendable () throws -> any PermissionStore)?
  ) {
    self.environment = environment
    self.probes = probes
    self.policy = policy
    self.origin = origin
    self.make = make
  }

  func open() throws -> any PermissionStore {
    if let store = opened.withLock({ $0 }) { return store }
    guard let make else { throw BrokerSocketError.nobodyListens }
    let store = try make()
    return opened.withLock { opened in
      if let other = opened { return other }
      opened = store
      return store
    }
  }

  /// Answers requests from decisions and from others' changes to the store. It shows no alerts.
  func desk() throws -> LocalDesk {
    let slot = ModalSlot(presenter: AttachedPresenters(), exclusion: ExclusionScheduler())
    return LocalDesk(store: try open(), slot: slot, environment: probes, origin: origin)
  }

  /// Evaluates a request as a broker does, and waits in the store if a person must be asked.
  ///
  /// - Parameter whenWaiting: Called once the request waits.
  func end<C: CapabilityType>(
    of request: Request, _ capability: C, at desk: LocalDesk,
    whenWaiting: @escaping @Sendable () async -> Void
  ) async throws -> RequestEnd {
    var authorizer = Authorizer(subject: request.subject, desk: desk, environment: probes, policy: policy())
    authorizer.evidence = request.evidence
    let outcome = try await authorizer.authorize(
      capability, RequestDetails(request, whenWaiting: whenWaiting))
    return try open().end(of: request, outcome, isMet: outcome.status.meets(capability.requirement))
  }

  /// Connects a request in the store with the program's own terminal.
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

  /// The alert for a request, as a broker would show it.
  func alert(for asking: Asking) throws -> Alert {
    let request = asking.request
    let maker = RequestAlertMaker(request, asking.capability.definition)
    var content = maker.summaryAlert()
    content.identity = request.evidence?.doubt == nil ? .firstTime : .fileless
    if make != nil { content = try maker.alert(asking: request.atoms, in: open()) }
    return Alert(id: Alert.ID(request.id.text), content: .request(content))
  }
}
