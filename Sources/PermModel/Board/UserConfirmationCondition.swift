public import Operations

/// A condition that is satisfied once the person has confirmed the action in the modal slot.
///
/// Only the remedy asks the person. Inside a `SilentCondition`, which has no remedy, the condition therefore
/// always fails with ``UserConfirmationError/notAnswered``.
public struct UserConfirmationCondition: OperationCondition {
  private let confirmation: Confirmation
  private let slot: ModalSlot

  public init(_ confirmation: Confirmation, in slot: ModalSlot = .default) {
    self.confirmation = confirmation
    self.slot = slot
  }

  /// Creates a condition that asks with the given title. The action is considered destructive by default.
  public init(
    _ title: String, message: String = "", action: String = "OK", isDestructive: Bool = true,
    in slot: ModalSlot = .default
  ) {
    let confirmation = Confirmation(
      title: title, message: message, action: action, isDestructive: isDestructive)
    self.init(confirmation, in: slot)
  }

  public var name: String { "UserConfirmation(\(confirmation.title))" }

  public func makeRemedy() -> (any Operation)? { AlertOperation(confirmation, in: slot) }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult {
    switch context.remedyOutput as? AlertResponse {
    case .confirmed: .satisfied
    case .refused: .failed(UserConfirmationError.refused, curable: false)
    default: .failed(UserConfirmationError.notAnswered, curable: context.look == .first)
    }
  }
}

/// The reason why an action was not confirmed.
public enum UserConfirmationError: Error, Hashable, CustomStringConvertible {
  case refused
  /// The person was not asked, or the question ended without an answer.
  case notAnswered

  public var description: String {
    switch self {
    case .refused: "the person refused"
    case .notAnswered: "nobody confirmed"
    }
  }
}
