/// The times that decide whether a key press is accepted as an answer, in milliseconds.
package struct PromptTimes: Hashable, Sendable {
  /// The time that must pass without a key press before an alert appears automatically.
  package let beforeAppearing: Int64
  /// The time for which an alert must have been completely visible before it can be answered.
  package let visible: Int64
  /// The time that must pass without any input before an alert can be answered.
  package let quiet: Int64
  /// The minimum time between the key press that answers one alert and the moment when the next alert can be answered.
  package let betweenAnswers: Int64
  /// The time without further input after which a key press takes effect.
  package let press: Int64
  /// The time within which several events of one key are treated as one key press.
  package let bounce: Int64
  /// The time without input after which an alert falls asleep. The next key press then only wakes the alert.
  package let awake: Int64

  /// The factors by which a person can multiply all of these times.
  package static let factors = 1...5

  package init(slow factor: Int = 1) {
    let factor = Int64(factor)
    beforeAppearing = 500 * factor
    visible = 500 * factor
    quiet = 300 * factor
    betweenAnswers = 750 * factor
    press = 250 * factor
    bounce = 40 * factor
    awake = 60_000 * factor
  }
}
