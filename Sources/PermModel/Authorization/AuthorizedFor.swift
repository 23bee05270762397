public import Operations

/// Satisfied while a program may use a capability; where that is undecided, its remedy asks the person.
///
/// It fails with ``AuthorizationError``, which carries status and requirement.
public struct AuthorizedFor<C: CapabilityType>: OperationCondition {
  private let capability: C
  private let authorizer: Authorizer
  private let details: RequestDetails

  public init(
    _ capability: C, authorizer: Authorizer = .default, _ details: RequestDetails = RequestDetails()
  ) {
    self.capability = capability
    self.authorizer = authorizer
    self.details = details
  }

  public var name: String {
    "AuthorizedFor(\(capability.definition.reference(for: capability.requirement.atoms)))"
  }

  public func makeRemedy() -> (any Operation)? {
    Authorize(capability, authorizer: authorizer, details)
  }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult {
    do {
      var facts = try await authorizer.facts(of: capability)
      if let why = facts.availability.unavailability {
        return .failed(AuthorizationError<C.Status>.unavailable(why), curable: false)
      }
      // An answer that was not kept is known only to the operation that asked: here.
      if let asked = context.remedyOutput as? Authorization<C.Status>, let answer = asked.answer {
        facts.decided = facts.decided.answering(answer)
      }
      let status = capability.status(from: facts)
      let requirement = capability.requirement
      guard !status.meets(requirement) else { return .satisfied }
      // Asking can help only where nothing that is needed has been refused.
      let refused = facts.decided.atoms(requirement.atoms, in: [.denied, .restricted])
      return .failed(
        AuthorizationError<C.Status>.notGranted(status, requirement: requirement), curable: refused.isEmpty)
    } catch {
      return .failed(error, curable: false)
    }
  }
}
