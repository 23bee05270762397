/// Whether a program may use a capability, as it turns out: each iteration looks, and asks if necessary.
///
/// If the capability is already allowed, the only element is `true`. Otherwise the first element is `false`, and the
/// second is the outcome: `[true]`, `[false, true]` or `[false, false]`; dismissed, unavailable and failed are `false`.
/// A consumer that is cancelled meanwhile receives no more elements, and its request is withdrawn.
public struct AuthorizedSequence<C: CapabilityType>: AsyncSequence, Sendable {
  fileprivate let capability: C
  fileprivate let authorizer: Authorizer
  fileprivate let details: RequestDetails

  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate enum Step { case look, ask, end }

    fileprivate let sequence: AuthorizedSequence
    fileprivate var step = Step.look

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Bool? {
      guard !Task.isCancelled else { return nil }
      switch step {
      case .end: return nil
      case .look:
        let found = try? await sequence.authorizer.authorization(of: sequence.capability)
        let isAllowed = found.map(allows) ?? false
        step = isAllowed ? .end : .ask
        return isAllowed
      case .ask:
        step = .end
        do {
          return allows(try await sequence.authorizer.authorize(sequence.capability, sequence.details))
        } catch {
          return Task.isCancelled ? nil : false
        }
      }
    }

    private func allows(_ found: Authorization<C.Status>) -> Bool {
      found.isAvailable && found.status.meets(sequence.capability.requirement)
    }
  }
}

extension AuthorizedSequence {
  /// Runs the body as soon as the capability is allowed: at most once, and never if it is not.
  public func whenGranted(_ body: @Sendable () async throws -> Void) async rethrows {
    for await isAllowed in self where isAllowed {
      guard !Task.isCancelled else { return }
      return try await body()
    }
  }

  /// Runs the body once, at the end, if the capability was not allowed.
  public func whenDenied(_ body: @Sendable () async throws -> Void) async rethrows {
    var last: Bool?
    for await isAllowed in self { last = isAllowed }
    guard last == false, !Task.isCancelled else { return }
    try await body()
  }
}

extension Authorizer {
  /// Returns a sequence that reports whether the capability may be used. It does no work before it is iterated.
  public func authorized<C: CapabilityType>(
    for capability: C, reason: String? = nil, suggestedLifetime: LifetimeChoice? = nil,
    patience: Duration? = nil
  ) -> AuthorizedSequence<C> {
    let details = RequestDetails(reason: reason, suggestedLifetime: suggestedLifetime, patience: patience)
    return AuthorizedSequence(capability: capability, authorizer: self, details: details)
  }
}
