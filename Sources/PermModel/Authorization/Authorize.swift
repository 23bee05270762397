public import Operations

/// Determines a capability's status. If the capability is available and part of the requirement is undecided, asks the
/// person.
///
/// This is the only operation that prompts for a capability. A denial is a result, not an error.
public struct Authorize<C: CapabilityType>: Operation {
  private let capability: C
  private let authorizer: Authorizer?
  private let details: RequestDetails
  private let completion: @Sendable (_ isAvailable: Bool, _ status: C.Status) -> Void

  /// - Parameters:
  ///   - capability: The capability, with the requirement to ask for.
  ///   - authorizer: The authorizer to ask; if `nil`, ``Authorizer/default`` at the time when the operation
  ///     executes.
  ///   - reason: The program's stated reason for wanting the capability.
  ///   - suggestedLifetime: The lifetime that the program would like an answer to have.
  ///   - patience: The time that the program waits for an answer; `nil` for no limit.
  ///   - completion: Receives the result before the operation ends. Not called if the operation is cancelled.
  public init(
    _ capability: C, authorizer: Authorizer? = nil, reason: String? = nil,
    suggestedLifetime: LifetimeChoice? = nil, patience: Duration? = nil,
    completion: @escaping @Sendable (_ isAvailable: Bool, _ status: C.Status) -> Void = { _, _ in }
  ) {
    let details = RequestDetails(reason: reason, suggestedLifetime: suggestedLifetime, patience: patience)
    self.init(capability, authorizer: authorizer, details: details, completion: completion)
  }

  package init(
    _ capability: C, authorizer: Authorizer?, details: RequestDetails,
    completion: @escaping @Sendable (_ isAvailable: Bool, _ status: C.Status) -> Void = { _, _ in }
  ) {
    self.capability = capability
    self.authorizer = authorizer
    self.details = details
    self.completion = completion
  }

  public var name: String {
    "Authorize(\(capability.definition.reference(for: capability.requirement.atoms)))"
  }

  public func execute(_ context: OperationContext) async throws -> Authorization<C.Status> {
    var details = details
    details.lease = context.lease
    let found = try await (authorizer ?? .default).authorize(capability, details)
    completion(found.isAvailable, found.status)
    return found
  }
}
