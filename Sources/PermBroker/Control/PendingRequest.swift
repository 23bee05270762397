public import PermModel

/// A request that waits, and the alert that it has by itself, whatever else waits with it.
public struct PendingRequest: Hashable, Sendable, Identifiable {
  public var waiting: WaitingRequest
  public var content: RequestAlert

  public init(_ waiting: WaitingRequest, _ content: RequestAlert) {
    self.waiting = waiting
    self.content = content
  }

  public var id: Request.ID { waiting.id }
  public var request: Request { content.request }
  public var alert: Alert { Alert(id: Alert.ID(id.text), content: .request(content)) }
  /// The reasons to be suspicious of the program that asks, each in a few words; empty if there are none.
  package var warnings: [String] { request.warnings(content.identity) }
  /// What an answer to this request must carry.
  public var digest: AlertDigest { alert.digest }
}
