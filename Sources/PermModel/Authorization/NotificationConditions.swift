public import Operations

/// A condition that is satisfied while the program is allowed to notify in all the given ways. If nobody has decided
/// yet, the condition's remedy asks the person.
public struct UserNotificationCondition: OperationCondition {
  private let authorized: AuthorizedFor<Capability.Notifications>

  public init(
    _ parts: Set<Capability.Notifications.Part> = [.alert], authorizer: Authorizer? = nil
  ) {
    authorized = AuthorizedFor(Capability.Notifications(.init(parts)), authorizer: authorizer)
  }

  public func makeRemedy() -> (any Operation)? { authorized.makeRemedy() }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult {
    await authorized.evaluate(context)
  }
}

/// A condition that is satisfied only if notifications from other machines are allowed and a notification
/// service is available.
public struct RemoteNotificationCondition: OperationCondition {
  private let authorized: UserNotificationCondition

  public init(authorizer: Authorizer? = nil) {
    authorized = UserNotificationCondition([.remote], authorizer: authorizer)
  }

  public func makeRemedy() -> (any Operation)? { authorized.makeRemedy() }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult {
    await authorized.evaluate(context)
  }
}
