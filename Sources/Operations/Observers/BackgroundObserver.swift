/// An observer that cancels an operation, or lets it finish, when the program is about to be stopped, for example with
/// ^Z in its terminal.
public struct BackgroundObserver: OperationObserver {
  /// A way to treat an operation when the program is about to be stopped.
  public enum Reaction: Sendable {
    /// The operation is cancelled, whether it is waiting or executing. An operation that is added while the program is
    /// stopped or about to be stopped is also cancelled.
    case cancels
    /// If the operation is executing, the program is not stopped until the operation has ended or the grace period of
    /// ``ProgramSuspension/willSuspend(grace:)`` has run out.
    case finishes
  }

  private let suspension: ProgramSuspension
  private let reaction: Reaction

  public init(_ suspension: ProgramSuspension, _ reaction: Reaction) {
    self.suspension = suspension
    self.reaction = reaction
  }

  public func observe(_ event: OperationEvent, of operation: OperationReference) {
    switch (event, reaction) {
    case (.added, .cancels), (.executing, .finishes): suspension.follow(operation, reaction)
    case (.ended, _): suspension.forget(operation)
    default: break
    }
  }
}
