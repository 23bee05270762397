import PermModel

/// What does not change while the dashboard runs.
struct Surroundings: Sendable {
  /// How wide characters are on this terminal.
  var measure: any CellMeasure
  var clock: ClockFormat
  /// The id that changes made here carry.
  var dashboardID: String
  var keys = KeyTable()
  /// Whether this is the demo, on a throw-away store.
  var isDemo = false
  /// Whether the terminal may be rung, and its title set, when something waits.
  var rings = true
  var setsTitle = true
  /// What decides when an alert appears and which key answers it.
  var times = PromptTimes()
}
