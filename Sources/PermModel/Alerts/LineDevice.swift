/// A device that a ``LinePresenter`` writes lines to and reads lines from.
protocol LineDevice: Sendable {
  /// The current time in milliseconds, by a clock that never goes back.
  var now: Int64 { get }

  /// Discards input that was typed before now.
  func drainInput()

  func write(_ lines: [String])

  /// Waits for the next event; returns ``LineInput/timeUp`` at the deadline.
  func next(until deadline: Int64?) async -> LineInput
}

/// An event at a device that is read line by line.
enum LineInput: Hashable, Sendable {
  case line(String)
  /// Input arrived that does not end its line yet.
  case part
  case ended, cancelled, timeUp
  /// The process was stopped and has been continued.
  case continued
  /// The terminal belongs to another job, but reading from it has not stopped this process.
  case inBackground
}
