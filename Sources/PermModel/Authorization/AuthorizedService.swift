/// Something that can be built only for a program that may use a capability.
public protocol AuthorizedService: AnyObject, Sendable {
  associatedtype Needed: CapabilityType

  /// What must be allowed.
  static var capability: Needed { get }

  /// Builds it. Only ``AuthorizedInstances`` can make the token, and does so only while it is allowed.
  init(_ token: AuthorizationToken<Self>)
}

/// Proof that a capability is allowed, for building one kind of service.
public struct AuthorizationToken<Service: AuthorizedService>: Sendable {
  public let subject: Subject
  public let environment: ProbeEnvironment

  init(_ authorizer: Authorizer) {
    subject = authorizer.subject
    environment = authorizer.environment
  }
}

/// What is known at once of an instance. Nobody waits for a person to find out.
public enum InstanceAnswer<Service: AuthorizedService>: Sendable {
  case granted(Service)
  /// Not allowed, or not available.
  case denied
  /// A person is asked; the callback gets the outcome. Cancelling the wait calls nobody.
  case waiting(InstanceWait)
}

/// A place among those who wait for an instance.
public struct InstanceWait: Sendable {
  let leave: @Sendable () -> Void

  /// Leaves. The callback is not called any more; when all have left, nobody is asked any more.
  public func cancel() { leave() }
}
