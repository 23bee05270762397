public import Operations

/// Satisfied while a program may use a capability; if that is undecided, its remedy asks the person.
///
/// It fails with ``AuthorizationError``, which carries status and requirement; if the person could not be asked, it
/// fails with the reason for that.
public struct AuthorizedFor<C: CapabilityType>: OperationCondition {
  private let capability: C
  private let authorizer: Authorizer?
  private let details: RequestDetails

  /// - Parameters:
  ///   - authorizer: The default authorizer at the time of each look unless given.
  ///   - reason: The program's stated reason for wanting the capability.
  ///   - suggestedLifetime: The lifetime that the program would like an answer to have.
  ///   - patience: The time that the program waits for an answer; unlimited unless given.
  public init(
    _ capability: C, authorizer: Authorizer? = nil, reason: String? = nil,
    suggestedLifetime: LifetimeChoice? = nil, patience: Duration? = nil
  ) {
    self.capability = capability
    self.authorizer = authorizer
    details = RequestDetails(reason: reason, suggestedLifetime: suggestedLifetime, patience: patience)
  }

  public var name: String {
    "AuthorizedFor(\(capability.definition.reference(for: capability.requirement.atoms)))"
  }

  public func makeRemedy() -> (any Operation)? {
    Authorize(capability, authorizer: authorizer, details: details)
  }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult {
    let authorizer = authorizer ?? .default
    do {
      var (facts, standing) = try await authorizer.look(at: capability)
      if let why = facts.availability.unavailability {
        return .failed(AuthorizationError<C.Status>.unavailable(why), curable: false)
      }
      // An answer that was not kept is known only to the operation that asked, which is this one.
      if let asked = context.remedyOutput as? Authorization<C.Status>, let answer = asked.end.answer {
        facts.decided = facts.decided.answering(answer)
      }
      let status = capability.status(from: facts)
      let requirement = capability.requirement
      if status.meets(requirement) {
        await noteUse(of: standing, facts.decided, authorizer, context)
        return .satisfied
      }
      if case .failed(let error) = context.remedyOutcome { return .failed(error, curable: false) }
      // Asking can help only if no needed part has been refused.
      let refused = facts.decided.atoms(requirement.atoms, in: [.denied, .restricted])
      return .failed(
        AuthorizationError<C.Status>.notGranted(status, requirement: requirement), curable: refused.isEmpty)
    } catch {
      return .failed(error, curable: false)
    }
  }

  /// Notes that decisions let the operation through. Only the last look is a use; if a person was asked just now, or
  /// the remedy has noted the use, there is nothing to add.
  private func noteUse(
    of standing: Standing, _ decided: DecidedAtoms, _ authorizer: Authorizer, _ context: ConditionContext
  ) async {
    guard context.look == .last, !(context.remedyOutput is Authorization<C.Status>) else { return }
    // A failure to note the use does not revoke a yes.
    try? await authorizer.recordUse(of: capability.requirement.atoms, decided, standing)
  }
}
