import Machine

/// A program's wait for the end of one request.
struct RequestWaiter: Sendable {
  let asking: Asking
  /// The alert for this request alone, as lists show it until the alert itself is made.
  let summary: Alert.Content
  let outcome = OneShot<Board.Outcome>()
  private let placing = OneShot<Bool>()
  private let opening = OneShot<Void>()

  init(_ asking: Asking, summary: Alert.Content) { (self.asking, self.summary) = (asking, summary) }

  var request: Request { asking.request }

  /// Notes whether the request has a place among the limits. Only the first call counts.
  func place(_ hasPlace: Bool) { placing.set(hasPlace) }

  /// Waits until the request has a place. Returns `false` if it ends before.
  func untilPlaced() async -> Bool { await placing.value }

  /// Ends the wait.
  func end(_ outcome: Board.Outcome) {
    self.outcome.set(outcome)
    place(false)
  }

  /// Notes that the request is in the store, or that it will never be there.
  func noteOpened() { opening.set(()) }

  /// Waits until ``noteOpened()`` was called.
  func untilOpened() async { await opening.value }
}
