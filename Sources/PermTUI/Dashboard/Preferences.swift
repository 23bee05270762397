import PermModel

/// The person's settings of a dashboard, which can change while it runs.
struct Preferences: Sendable {
  var keys = KeyTable.usual
  /// Whether to ring the terminal's bell when the number of waiting items grows.
  var rings = true
  var setsTitle = true
  /// The waiting times that decide when an alert appears and which key answers it.
  var times = PromptTimes()
  /// The number of mistakes in the configuration. If there are any, an earlier version might still be in effect.
  var mistakes = 0
}
