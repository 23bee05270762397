import Machine
package import Operations

/// A place that looks up decisions and answers requests, in this process or in another one.
///
/// An ``Authorizer`` uses a desk only through this protocol. ``LocalDesk`` works with a store and the modal slot of
/// this process.
package protocol PermissionDesk: Sendable {
  /// Returns the decisions in force for one program and one capability.
  func standing(of subject: Subject, capability: String) async throws -> Standing

  /// Returns a stream that reports when the decisions in force for one program and one capability may have changed,
  /// whoever changed them, or because a decision has ended by itself. The first element comes at once; data read after
  /// an element is at least as new as the change that it reports. Ends when changes can no longer be noticed.
  func decisionChanges(for subject: Subject, capability: String) throws -> AsyncStream<Void>

  /// Returns how an earlier request with the same id and content ended; `nil` if it has not ended, or if the id is new.
  ///
  /// - Throws: An error that says so if something else was asked for under that id.
  func end(of request: Request) async throws -> RequestEnd?

  /// Gets an answer from a person, and waits for it.
  ///
  /// - Throws: `CancellationError` when the calling task is cancelled: the request is then withdrawn.
  func answer(to asking: Asking) async throws -> RequestEnd

  /// Notes that decisions answered without a person being asked.
  func record(_ answer: AutomaticAnswer) async throws

  /// The present moment, by the clock that decisions are judged by.
  var now: Timestamp { get }

  /// A random id for a request.
  func makeID() -> String
}

extension PermissionDesk {
  /// Returns `nil`: for desks that leave it to another desk to know the ids.
  package func end(of request: Request) async throws -> RequestEnd? { nil }
}

/// A request on its way to a person.
package struct Asking: Sendable {
  package var request: Request
  package var capability: any CapabilityType
  /// The atoms that the machine's policy forbids the program.
  package var restricted: Set<Atom>
  /// Proof that the request is made on behalf of an operation that may hold the modal slot itself.
  package var lease: ExclusionLease?
  /// Called before the request gets an alert of its own, but not if it shares one; may refuse by throwing an error.
  /// Called under a lock, so it must not wait.
  package var takePlace: (@Sendable () throws -> AlertPlace)?
  /// Called once the request is in the store and waits for a person.
  package var whenWaiting: (@Sendable () async -> Void)?

  package init(
    _ request: Request, capability: any CapabilityType, restricted: Set<Atom> = [],
    lease: ExclusionLease? = nil, whenWaiting: (@Sendable () async -> Void)? = nil
  ) {
    self.request = request
    self.capability = capability
    self.restricted = restricted
    self.lease = lease
    self.whenWaiting = whenWaiting
  }
}

/// The place of an alert among those that wait. It is released when its last owner lets go of it.
package final class AlertPlace: Sendable {
  private let isAnswered = Lock(false)
  private let giveBack: @Sendable (_ isAnswered: Bool) -> Void

  /// - Parameter giveBack: Called with whether a person has answered the alert.
  package init(giveBack: @escaping @Sendable (_ isAnswered: Bool) -> Void) { self.giveBack = giveBack }

  deinit { giveBack(isAnswered.withLock { $0 }) }

  func noteAnswer() { isAnswered.withLock { $0 = true } }
}
