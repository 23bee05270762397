public import PermModel

/// What a program asks a broker for.
public struct BrokerQuestion: Hashable, Sendable {
  /// Random, and the same when the question is sent again because the broker went away; 16 to 64 characters of a-z,
  /// 0-9 and -.
  public var id: String
  /// For example `calendar:reminders`.
  public var capability: String
  /// What the program calls itself; the name of its file unless given.
  public var label: String?
  public var reason: String?
  /// How long the program would like an answer to hold. The person sees it, and chooses.
  public var suggestedLifetime: LifetimeChoice?
  /// How long the program waits; `nil` for without limit.
  public var patience: Duration?

  public init(
    id: String, capability: String, label: String? = nil, reason: String? = nil,
    suggestedLifetime: LifetimeChoice? = nil, patience: Duration? = nil
  ) {
    self.id = id
    self.capability = capability
    self.label = label
    self.reason = reason
    self.suggestedLifetime = suggestedLifetime
    self.patience = patience
  }

  var parameters: Methods.Request.Parameters {
    .init(
      id: id, capability: capability, label: label, reason: reason,
      lifetime: suggestedLifetime.map(Wire.Lifetime.init), milliseconds: patience.map(\.wholeMilliseconds))
  }
}

/// What a broker tells about a request.
package enum RequestProgress: Hashable, Sendable {
  /// It waits for a person, and so many dashboards could show it. Told again when that number changes.
  case waiting(presenters: Int)
  case ended(RequestEnd)

  init(_ reply: Methods.Request.Reply, of asked: CapabilityReference, at moment: Timestamp) {
    let end = reply.end(of: asked.capability, asking: asked.atoms, at: moment)
    self = end.map { .ended($0) } ?? .waiting(presenters: reply.presenters ?? 0)
  }
}
