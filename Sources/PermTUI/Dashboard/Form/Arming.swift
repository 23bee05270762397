/// Decides whether an alert may be answered yet, so that keys meant for something else answer nothing.
///
/// Keys count once the alert was fully visible and the input quiet for half a second. Keys that mean something in
/// the alert leave it armed; everything else starts the wait again.
struct Arming: Hashable, Sendable {
  /// How long input must be quiet before an alert appears, and again before it can be answered, in milliseconds.
  static let quiet: Int64 = 500

  private var since: Int64
  private let quiet: Int64

  /// An alert that became fully visible at `moment`.
  ///
  /// - Parameter quiet: how long input must be quiet, in milliseconds.
  init(visibleSince moment: EventTime, quiet: Int64 = Self.quiet) {
    since = moment.milliseconds
    self.quiet = quiet
  }

  /// When it is armed if nothing disturbs it, in monotonic milliseconds.
  var armsAt: Int64 { since + quiet }

  func isArmed(at moment: EventTime) -> Bool { moment.milliseconds >= armsAt }

  /// Starts the wait again: there was input that is no answer, or the alert was not visible until now.
  mutating func restart(at moment: EventTime) { since = max(since, moment.milliseconds) }
}
