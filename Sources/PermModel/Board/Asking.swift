package import Operations

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
  /// The cost of a new alert for the request; `nil` if it costs nothing.
  package var charge: Board.Charge?
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
