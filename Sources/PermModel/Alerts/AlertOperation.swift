import Machine
public import Operations

/// Shows a confirmation or a notice, and ends when it has been read, confirmed, refused or dismissed.
///
/// Only one alert is shown at a time, whoever asks. Cancelling takes the alert off the screen.
public struct AlertOperation: Operation {
  private let content: Alert.Content
  private let slot: ModalSlot

  /// Shows a message to be read.
  public init(title: String, message: String = "", button: String = "OK", in slot: ModalSlot = .default) {
    self.init(.notice(Notice(title: title, message: message, button: button)), in: slot)
  }

  /// Asks about something that is about to happen.
  public init(_ confirmation: Confirmation, in slot: ModalSlot = .default) {
    self.init(.confirmation(confirmation), in: slot)
  }

  private init(_ content: Alert.Content, in slot: ModalSlot) {
    self.content = content
    self.slot = slot
  }

  public var name: String { "Alert(\(makeAlert().summary))" }

  /// Makes a new alert each time, because the same operation may be added twice.
  private func makeAlert() -> Alert {
    Alert(id: Alert.ID(RandomID.make()), content: content)
  }

  public func execute(_ context: OperationContext) async throws -> AlertResponse {
    try await slot.present(makeAlert(), lease: context.lease)
  }
}
