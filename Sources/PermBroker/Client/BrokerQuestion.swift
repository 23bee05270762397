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

/// What becomes of a request.
public enum RequestProgress: Hashable, Sendable {
  /// It waits for a person, and so many dashboards could show it. Told again when that number changes.
  case waiting(presenters: Int)
  case allowed
  case denied(explanation: String?)
  case dismissed
  case timedOut
  /// The program is not the one any more that asked.
  case withdrawn
  case unavailable(explanation: String)

  init(_ reply: Methods.Request.Reply) {
    switch reply.state {
    case .waiting: self = .waiting(presenters: reply.presenters ?? 0)
    case .allowed: self = .allowed
    case .denied: self = .denied(explanation: reply.explanation)
    case .dismissed: self = .dismissed
    case .timedOut: self = .timedOut
    case .withdrawn: self = .withdrawn
    case .unavailable: self = .unavailable(explanation: reply.explanation ?? "not available")
    }
  }
}
