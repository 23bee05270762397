/// What a ``LinePresenter`` writes lines to and reads them from.
protocol LineDevice: Sendable {
  /// Milliseconds of a clock that never goes back.
  var now: Int64 { get }

  /// Throws away what was typed before now.
  func drainInput()

  func write(_ lines: [String])

  /// The next thing that happens; the end of the time at the deadline.
  func next(until deadline: Int64?) async -> LineInput
}

/// What happens at a device that is read line by line.
enum LineInput: Hashable, Sendable {
  case line(String)
  /// Something came, and its line has no end yet.
  case part
  case ended, cancelled, timeUp
  /// The process was stopped and goes on.
  case continued
}
