public import Operations

/// A condition that is satisfied while a program is allowed to use a capability. If nobody has decided yet, the
/// condition's remedy asks the person.
///
/// If the capability is unavailable or not allowed, the condition fails with ``AuthorizationError``. If the
/// person could not be asked, it fails with the error that prevented the question.
public struct AuthorizedFor<C: CapabilityType>: OperationCondition {
  private let capability: C
  private let authorizer: Authorizer?
  private let details: RequestDetails

  /// - Parameters:
  ///   - capability: The capability, with the requirement to ask for.
  ///   - authorizer: The authorizer to use; if `nil`, ``Authorizer/default`` at the time of each evaluation.
  ///   - reason: The program's stated reason for wanting the capability.
  ///   - suggestedLifetime: The lifetime that the program would like an answer to have.
  ///   - patience: The time that the program waits for an answer; `nil` for no limit.
  public init(
    _ capability: C, authorizer: Authorizer? = nil, reason: String? = nil,
    suggestedLifetime: LifetimeChoice? = nil, patience: Duration? = nil
  ) {
    self.capability = capability
    self.authorizer = authorizer
    details = RequestDetails(reason: reason, suggestedLifetime: suggestedLifetime, patience: patience)
  }

  package init(_ capability: C, authorizer: Authorizer?, details: RequestDetails) {
    self.capability = capability
    self.authorizer = authorizer
    self.details = details
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
      var (judgement, availability) = try await authorizer.look(at: capability, details)
      if let why = availability.unavailability {
        return .failed(AuthorizationError<C.Status>.unavailable(why), curable: false)
      }
      // An answer that was not kept is not among the decisions. It is found only in the output of this
      // condition's remedy.
      if let asked = context.remedyOutput as? Authorization<C.Status>, let answer = asked.end.answer {
        judgement = judgement.answering(answer)
      }
      let status = capability.status(
        from: CapabilityFacts(decided: judgement.decided, availability: availability))
      let requirement = capability.requirement
      if status.meets(requirement) {
        await noteUse(of: judgement, authorizer, context)
        return .satisfied
      }
      if case .failed(let error) = context.remedyOutcome { return .failed(error, curable: false) }
      // Asking the person can help only if no part of the requirement is denied or restricted.
      let refused = judgement.decided.atoms(requirement.atoms, in: [.denied, .restricted])
      return .failed(
        AuthorizationError<C.Status>.notGranted(status, requirement: requirement), curable: refused.isEmpty)
    } catch {
      return .failed(error, curable: false)
    }
  }

  /// Records that decisions allowed the operation to execute. Only the last evaluation is recorded. If the remedy has
  /// an output, nothing more is recorded, because the remedy has already asked the person or recorded the use.
  private func noteUse(
    of judgement: Judgement, _ authorizer: Authorizer, _ context: ConditionContext
  ) async {
    guard context.look == .last, !(context.remedyOutput is Authorization<C.Status>) else { return }
    // The operation remains allowed even if the use cannot be recorded.
    try? await authorizer.record(judgement)
  }
}
