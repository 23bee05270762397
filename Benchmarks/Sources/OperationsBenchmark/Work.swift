import Operations

/// An operation that does nothing.
struct NoOperation: Operations.Operation {
  func execute(_ context: OperationContext) async throws {}
}

/// A condition that always holds.
struct Yes: OperationCondition {
  func evaluate(_ context: ConditionContext) async -> ConditionResult { .satisfied }
}

/// A condition for the hand-written contenders.
protocol HandCondition: Sendable {
  func holds() async -> Bool
}

struct HandYes: HandCondition {
  func holds() async -> Bool { true }
}

/// Keeps the optimiser from seeing through `HandCondition`.
@inline(never)
func anyHandCondition() -> any HandCondition { HandYes() }
