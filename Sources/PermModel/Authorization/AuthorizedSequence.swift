/// A sequence that reports whether a program is allowed to use a capability. Each iteration looks up the
/// status, and asks a person if necessary.
///
/// If the capability is already allowed, the only element is `true`. Otherwise the first element is `false`, and the
/// second element is the outcome. The possible sequences are therefore `[true]`, `[false, true]` and `[false, false]`.
/// The outcome is also `false` if the request is dismissed or fails, or if the capability is unavailable. If the
/// consumer is cancelled before the outcome, it receives no more elements, and its request is withdrawn.
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
  /// Runs the body once, as soon as the capability is allowed. If the capability is not allowed, never runs the body.
  public func whenGranted(_ body: @Sendable () async throws -> Void) async rethrows {
    for await isAllowed in self where isAllowed {
      guard !Task.isCancelled else { return }
      return try await body()
    }
  }

  /// If the capability is not allowed, runs the body once, as soon as the outcome is known.
  public func whenDenied(_ body: @Sendable () async throws -> Void) async rethrows {
    var last: Bool?
    for await isAllowed in self { last = isAllowed }
    guard last == false, !Task.isCancelled else { return }
    try await body()
  }
}

extension Authorizer {
  /// Returns a sequence that reports whether this program is allowed to use the capability. The sequence does
  /// no work until it is iterated.
  public func authorized<C: CapabilityType>(
    for capability: C, reason: String? = nil, suggestedLifetime: LifetimeChoice? = nil,
    patience: Duration? = nil
  ) -> AuthorizedSequence<C> {
    let details = RequestDetails(reason: reason, suggestedLifetime: suggestedLifetime, patience: patience)
    return AuthorizedSequence(capability: capability, authorizer: self, details: details)
  }
}
