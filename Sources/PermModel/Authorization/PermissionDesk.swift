import Machine
package import Operations

/// A component that looks up decisions and answers requests, in this process or in another one.
///
/// An ``Authorizer`` uses a desk only through this protocol. ``LocalDesk`` works with a store and the modal
/// slot of this process.
package protocol PermissionDesk: Sendable {
  /// Returns the judgement on some atoms by the decisions in force. A desk that works through a broker knows only the
  /// resulting states of the atoms.
  ///
  /// - Parameter values: Whether the desk must look up the meaning of the values first.
  func judgement(on atoms: Set<Atom>, _ values: Resolution, by judge: Judge) async throws -> Judgement

  /// Returns a stream that reports when the judgement on some atoms might have changed, either because somebody changed
  /// decisions or because one of them expired. The first element arrives immediately. Data that is read after an element
  /// has arrived includes the reported change. The stream ends when changes can no longer be noticed.
  ///
  /// - Parameter values: As in ``judgement(on:_:by:)``.
  func decisionChanges(
    on atoms: Set<Atom>, _ values: Resolution, by judge: Judge
  ) throws -> AsyncStream<Void>

  /// If an earlier request with the same id and content has ended, returns how it ended. Returns `nil` if
  /// that request is still waiting, or if the id is new.
  ///
  /// - Throws: An error if the id was already used to ask for something else.
  func end(of request: Request) async throws -> RequestEnd?

  /// Asks a person, waits until the request ends, and returns how it ended.
  ///
  /// - Throws: `CancellationError` if the calling task is cancelled, which also withdraws the request.
  func answer(to asking: Asking) async throws -> RequestEnd

  /// Records an answer that was given without asking a person.
  func record(_ answer: AutomaticAnswer) async throws

  /// The current time, on the clock by which decisions expire.
  var now: Timestamp { get }

  /// Returns a random id for a request.
  func makeID() -> String
}

extension PermissionDesk {
  /// Returns `nil`. This implementation is for desks that leave it to another desk to look up earlier requests.
  package func end(of request: Request) async throws -> RequestEnd? { nil }
}

/// A request on its way to a person, with everything that is needed to ask the question.
package struct Asking: Sendable {
  package var request: Request
  /// The process that spelled the values of the request; `nil` if their meaning has been looked up.
  var spelledBy: AskingProcess?
  package var capability: any CapabilityType
  /// The restrictions that the machine's owner has set.
  package var policy: MachinePolicy
  /// Proof that the request is being made on behalf of an operation. That operation might itself hold the modal slot.
  package var lease: ExclusionLease?
  /// Called before the request gets its own alert, but not if the request joins another request's alert. Can
  /// refuse the request by throwing an error. It is called while a lock is held, so it must not block.
  package var takePlace: (@Sendable () throws -> PlaceOffer)?
  /// Called as soon as the request is in the store and waits for a person.
  package var whenWaiting: (@Sendable () async -> Void)?

  package init(
    _ request: Request, capability: any CapabilityType, policy: MachinePolicy = .none,
    lease: ExclusionLease? = nil, whenWaiting: (@Sendable () async -> Void)? = nil
  ) {
    self.request = request
    self.capability = capability
    self.policy = policy
    self.lease = lease
    self.whenWaiting = whenWaiting
  }
}

/// The offer to a request that needs a new alert.
package enum PlaceOffer: Sendable {
  case taken(AlertPlace)
  /// A place later. Until then, the request waits without an alert.
  case later(LaterPlace)
}

/// The right to wait for an alert's place. It is given back when the wait is over, or when the last reference to this
/// object is released.
package final class LaterPlace: Sendable {
  /// Waits for the place. Throws an error if there is none in time.
  let place: @Sendable () async throws -> AlertPlace
  private let giveBack: @Sendable () -> Void
  private let isOver = Lock(false)

  package init(
    place: @escaping @Sendable () async throws -> AlertPlace, giveBack: @escaping @Sendable () -> Void
  ) {
    self.place = place
    self.giveBack = giveBack
  }

  deinit { end() }

  /// Gives the right back.
  func end() {
    let wasOver = isOver.withLock { isOver in
      defer { isOver = true }
      return isOver
    }
    if !wasOver { giveBack() }
  }
}

/// An alert's place among the alerts that wait. The place is given back when the last reference to this
/// object is released.
package final class AlertPlace: Sendable {
  private let isAnswered = Lock(false)
  private let giveBack: @Sendable (_ isAnswered: Bool) -> Void

  /// - Parameter giveBack: Called when the place is given back. Its argument tells whether a person has
  ///   answered the alert.
  package init(giveBack: @escaping @Sendable (_ isAnswered: Bool) -> Void) { self.giveBack = giveBack }

  deinit { giveBack(isAnswered.withLock { $0 }) }

  func noteAnswer() { isAnswered.withLock { $0 = true } }
}
