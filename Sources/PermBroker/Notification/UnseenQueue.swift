import PermModel

/// The alerts in line and the last key press, from which it follows when to notify the person. A pure value.
///
/// The person is notified once for each queue. A queue ends when the line is empty.
struct UnseenQueue {
  private var arrivals: [Alert.ID: Duration] = [:]
  private var lookedAt: Duration?
  private var isTold = false

  /// The alerts that came into line after the last key press. The person might not know about them.
  private var unseen: [Alert.ID: Duration] {
    arrivals.filter { arrival in lookedAt.map { $0 < arrival.value } ?? true }
  }

  /// The alert that has waited longest without a key press, and the time at which it came; `nil` if there is none, or if
  /// the person was told of this queue.
  var longestUnseen: (id: Alert.ID, since: Duration)? {
    if isTold { return nil }
    return unseen.min { ($0.value, $0.key.text) < ($1.value, $1.key.text) }.map { ($0.key, $0.value) }
  }

  /// Notes the alerts that are in line now.
  mutating func update(_ alerts: Set<Alert.ID>, at now: Duration) {
    arrivals = arrivals.filter { alerts.contains($0.key) }
    for id in alerts where arrivals[id] == nil { arrivals[id] = now }
    if arrivals.isEmpty { isTold = false }
  }

  /// Notes a key press at a dashboard.
  mutating func look(at now: Duration) { lookedAt = now }

  /// Notes that the person has been notified of this queue.
  mutating func tell() { isTold = true }
}
