/// Decides what becomes of an operation when the program is about to be stopped, as by ^Z at its terminal.
public struct BackgroundObserver: OperationObserver {
  /// What becomes of it.
  public enum Reaction: Sendable {
    /// It is cancelled, whether it waits or executes; added while the program is suspended, too.
    case cancels
    /// If it executes, the program is not stopped before it has ended, or the time for that is over.
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
