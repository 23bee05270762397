/// The times that decide whether a key press counts as an answer, in milliseconds.
package struct PromptTimes: Hashable, Sendable {
  /// The time without a key press before an alert appears by itself.
  package let beforeAppearing: Int64
  /// The time for which an alert must have been completely visible.
  package let visible: Int64
  /// The time without any input before an answer.
  package let quiet: Int64
  /// The time since the key press that answered the previous alert.
  package let betweenAnswers: Int64
  /// The time without further input after a press.
  package let press: Int64
  /// The time within which several events of one key count as one press.
  package let bounce: Int64
  /// The time for which an alert stays awake without input.
  package let awake: Int64

  /// The factors by which a person may slow down all of these times.
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
