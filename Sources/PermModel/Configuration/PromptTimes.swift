/// The times that decide what counts as an answer, in milliseconds.
package struct PromptTimes: Hashable, Sendable {
  /// How long no key must have been pressed before an alert appears by itself.
  package let beforeAppearing: Int64
  /// How long an alert must have been completely painted.
  package let visible: Int64
  /// How long there must have been no input.
  package let quiet: Int64
  /// How old the key must be that answered the alert before.
  package let betweenAnswers: Int64
  /// How long nothing must follow a press.
  package let press: Int64
  /// Within this time, events of one key are one press.
  package let bounce: Int64
  /// How long an alert stays awake that nobody touches.
  package let awake: Int64

  /// By how much a person may slow all of them down.
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
