import Machine
public import Operations

/// Shows a confirmation or a notice. The operation ends when the alert has been confirmed, refused, read or dismissed.
///
/// Only one alert is shown at a time, no matter which code shows it. Cancelling the operation removes its
/// alert from the screen.
public struct AlertOperation: Operation {
  private let content: Alert.Content
  private let slot: ModalSlot

  /// Creates an operation that shows a message.
  public init(title: String, message: String = "", button: String = "OK", in slot: ModalSlot = .default) {
    self.init(.notice(Notice(title: title, message: message, button: button)), in: slot)
  }

  /// Creates an operation that asks the person to confirm an action.
  public init(_ confirmation: Confirmation, in slot: ModalSlot = .default) {
    self.init(.confirmation(confirmation), in: slot)
  }

  private init(_ content: Alert.Content, in slot: ModalSlot) {
    self.content = content
    self.slot = slot
  }

  public var name: String { "Alert(\(makeAlert().summary))" }

  /// Makes an alert with a new id at each call, because the same operation might be executed twice.
  private func makeAlert() -> Alert {
    Alert(id: Alert.ID(RandomID.make()), content: content)
  }

  /// Shows the alert when its turn has come. If the operation is a remedy, and its condition has come true while the alert
  /// waited in line, the alert is not shown.
  public func execute(_ context: OperationContext) async throws -> AlertResponse {
    try await slot.present(makeAlert(), lease: context.lease, isNeeded: context.isStillNeeded)
  }
}
