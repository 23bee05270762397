/// The place where an alert comes from. It makes the alert, and stores how it ends.
package protocol AlertSource: AnyObject, Sendable {
  /// Makes the current version of an alert.
  func make(_ alert: Alert.ID, for requests: ItemRequests) async -> AlertMaking

  /// Returns the outcomes of requests that no longer need an answer.
  func judge(_ requests: ItemRequests) async -> [Request.ID: Board.Outcome]

  /// Checks how an alert is to end, and stores it.
  func settle(_ alert: Alert, _ closing: Board.Closing, _ requests: ItemRequests) async -> AlertSettling

  /// Notes a step of an alert.
  func note(_ step: Board.Step, of requests: [Request.ID]) async
}

/// The requests of one item. Meanwhile they can have left it, and even wait again, under the same ids, in another item.
package struct ItemRequests: Sendable {
  package let item: Board.Item.ID
  package let ids: [Request.ID]
}

package enum AlertMaking: Sendable {
  case made(Alert)
  /// The alert is not needed any more, because its requests have ended.
  case ended([Request.ID: Board.Outcome])
}

package enum AlertSettling: Sendable {
  case ended([Request.ID: Board.Outcome], isAnswered: Bool = false)
  /// The alert has changed since the person read it.
  case changed
  /// The answer cannot be accepted or stored.
  case refused(any Error)
}
