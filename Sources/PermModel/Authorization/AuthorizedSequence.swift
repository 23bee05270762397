/// A sequence that reports whether a program is allowed to use a capability. Each iteration looks up the
/// status, and asks a person if necessary.
///
/// If the capability is already allowed, the only element is ``AuthorizedStep/allowed``. Otherwise the first element is
/// ``AuthorizedStep/notYet``, and the second element is the outcome, which says why if it is a refusal. With
/// `.map(\.isAllowed)` the possible sequences are exactly `[true]`, `[false, true]` and `[false, false]`.
///
/// If the consumer is cancelled before the outcome, it receives no more elements, and its request is withdrawn.
public struct AuthorizedSequence<C: CapabilityType>: AsyncSequence, Sendable {
  fileprivate let capability: C
  fileprivate let authorizer: Authorizer
  fileprivate let details: RequestDetails

  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate enum Place { case look, ask, end }

    fileprivate let sequence: AuthorizedSequence
    fileprivate var place = Place.look

    public mutating func next(isolation actor: isolated (any Actor)?) async -> AuthorizedStep? {
      guard !Task.isCancelled else { return nil }
      switch place {
      case .end: return nil
      case .look:
        let found = try? await sequence.authorizer.authorization(of: sequence.capability)
        let isAllowed = found?.isAllowed ?? false
        place = isAllowed ? .end : .ask
        return isAllowed ? .allowed : .notYet
      case .ask:
        place = .end
        return await sequence.outcome()
      }
    }
  }

  /// Returns the outcome of asking; `nil` if the consumer is cancelled.
  private func outcome() async -> AuthorizedStep? {
    do {
      let found = try await authorizer.authorize(capability, details)
      return found.isAllowed ? .allowed : .refused(found.refusal ?? .denied())
    } catch {
      return Task.isCancelled ? nil : .refused(.failed(reason: "\(error)"))
    }
  }
}

/// An element of an ``AuthorizedSequence``.
public enum AuthorizedStep: Hashable, Sendable {
  /// The capability is not allowed yet. A person is asked next, unless it is already known that it is not allowed.
  case notYet
  case allowed
  case refused(AuthorizationRefusal)

  public var isAllowed: Bool { self == .allowed }
}

extension AuthorizedSequence {
  /// Runs the body once, as soon as the capability is allowed. If the capability is not allowed, never runs the body.
  ///
  /// The body runs where the caller does, so it can use whatever the caller can.
  public func whenGranted(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
  ) async rethrows {
    for await step in self where step.isAllowed {
      guard !Task.isCancelled else { return }
      return try await body()
    }
  }

  /// If the capability is not allowed, runs the body once, as soon as the outcome is known. The body runs where the caller
  /// does.
  public func whenDenied(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
  ) async rethrows {
    var last: AuthorizedStep?
    for await step in self { last = step }
    guard let last, !last.isAllowed, !Task.isCancelled else { return }
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
