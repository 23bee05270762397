/// An observer that cancels or finishes an operation when the program is about to be stopped, for instance by ^Z at its
/// terminal.
public struct BackgroundObserver: OperationObserver {
  /// The ways to treat an operation when the program is about to be stopped.
  public enum Reaction: Sendable {
    /// The operation is cancelled, whether it is waiting or executing, or is added while the program is suspended.
    case cancels
    /// If the operation is executing, the program is not stopped until it has ended or the time for that is over.
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
