public import Operations

/// Determines a capability's availability and status. Never prompts.
public struct GetAuthorizationStatus<C: CapabilityType>: Operation {
  private let capability: C
  private let authorizer: Authorizer?
  private let completion: @Sendable (_ isAvailable: Bool, _ status: C.Status) -> Void

  /// - Parameters:
  ///   - capability: The capability, with the requirement to look at.
  ///   - authorizer: The authorizer to ask; if `nil`, ``Authorizer/default`` at the time when the operation executes.
  ///   - completion: Receives the result before the operation ends.
  public init(
    _ capability: C, authorizer: Authorizer? = nil,
    completion: @escaping @Sendable (_ isAvailable: Bool, _ status: C.Status) -> Void = { _, _ in }
  ) {
    self.capability = capability
    self.authorizer = authorizer
    self.completion = completion
  }

  public var name: String { "GetAuthorizationStatus(\(capability.name))" }

  public func execute(_ context: OperationContext) async throws -> Authorization<C.Status> {
    let found = try await (authorizer ?? .default).authorization(of: capability)
    completion(found.isAvailable, found.status)
    return found
  }
}
