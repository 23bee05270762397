/// A service that can be built only for a program that is allowed to use a capability.
public protocol AuthorizedService: AnyObject, Sendable {
  associatedtype Needed: CapabilityType

  /// The capability that must be allowed.
  static var capability: Needed { get }

  /// Builds the service. Only ``AuthorizedInstances`` can make the token, and it does so only while the
  /// capability is allowed.
  init(_ token: AuthorizationToken)
}

/// Proof that a capability is allowed, which is needed to build a service. It names no type, so that a service can be derived
/// from another one.
public struct AuthorizationToken: Sendable {
  /// The program that is allowed to use the capability.
  public let subject: Subject
  /// The environment in which the capability is available.
  public let environment: ProbeEnvironment

  init(_ authorizer: Authorizer) {
    subject = authorizer.subject
    environment = authorizer.environment
  }
}

/// The immediate answer to a request for an instance. It never waits for a person.
public enum InstanceAnswer<Service: AuthorizedService>: Sendable {
  case granted(Service)
  /// The capability is not allowed, or not available.
  case denied
  /// A person is being asked; the callback receives the outcome. If the wait is cancelled, the callback is not called.
  case waiting(InstanceWait)
}

/// A place among the callers that wait for an instance.
public struct InstanceWait: Sendable {
  let leave: @Sendable () -> Void

  /// Stops waiting, so the callback is never called. The request is withdrawn when no caller is waiting any longer.
  public func cancel() { leave() }
}
