import Machine
public import Operations

/// Shows something modal, and ends when it was read, confirmed, refused or dismissed.
///
/// One modal at a time, whatever asks. Cancelling takes the alert off the screen.
public struct AlertOperation: Operation {
  private let content: Alert.Content
  private let slot: ModalSlot

  /// Tells something that is to be read.
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

  /// An alert of its own each time: the same operation may be added twice.
  private func makeAlert() -> Alert {
    Alert(id: Alert.ID(RandomID.make()), content: content)
  }

  public func execute(_ context: OperationContext) async throws -> AlertResponse {
    try await slot.present(makeAlert(), lease: context.lease)
  }
}
