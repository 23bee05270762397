import Operations

/// An operation that does nothing.
struct NoOperation: Operations.Operation {
  func execute(_ context: OperationContext) async throws {}
}

/// A condition that says yes, after asking nobody.
struct Yes: OperationCondition {
  func evaluate(_ context: ConditionContext) async -> ConditionResult { .satisfied }
}

/// The same, for those who write it by hand.
protocol HandCondition: Sendable {
  func holds() async -> Bool
}

struct HandYes: HandCondition {
  func holds() async -> Bool { true }
}

/// Keeps the optimiser from seeing through `HandCondition`.
@inline(never)
func anyHandCondition() -> any HandCondition { HandYes() }
