import Machine

/// A program's wait for the end of one request.
final class RequestWaiter: Sendable {
  let asking: Asking
  let outcome = OneShot<Board.Outcome>()
  private let opening = OneShot<Void>()

  init(_ asking: Asking) { self.asking = asking }

  var request: Request { asking.request }

  /// Notes that the request is in the store, or that it will never be there.
  func noteOpened() { opening.set(()) }

  /// Waits until ``noteOpened()`` was called.
  func untilOpened() async { await opening.value }
}
