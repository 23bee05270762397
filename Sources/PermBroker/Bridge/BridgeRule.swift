import PermModel

/// The calls that a bridge passes on to the broker: those of some methods, by their names, and no others.
///
/// A call is read as the method that it names, and what was read is written again. Whatever else a message held, such as
/// a second method in the same JSON, therefore never reaches the broker.
package enum BridgeRule: String, Sendable, CaseIterable {
  case watch, answers, rules

  private static let watching: [any BrokerMethod.Type] = [
    Methods.Attach.self, Methods.Pending.self, Methods.Watch.self, Methods.Log.self,
  ]
  private static let answering: [any BrokerMethod.Type] = [
    Methods.Answer.self, Methods.Respond.self, Methods.Panic.self,
  ]
  private static let ruling: [any BrokerMethod.Type] = [
    Methods.Allow.self, Methods.Deny.self, Methods.Decide.self, Methods.Forget.self, Methods.Mute.self,
    Methods.Unmute.self, Methods.Undo.self, Methods.Redo.self,
  ]

  private var methods: [any BrokerMethod.Type] {
    switch self {
    case .watch: Self.watching
    case .answers: Self.watching + Self.answering
    case .rules: Self.watching + Self.answering + Self.ruling
    }
  }

  /// A call as the bridge passes it on.
  struct Passed: Hashable {
    var bytes: [UInt8]
    /// Whether several replies can follow.
    var isStream: Bool
    /// Whether the caller wants no reply.
    var isOneway: Bool
  }

  /// Returns a call as it is passed on.
  ///
  /// - Throws: ``BrokerError/mayNotChange(reason:)`` if the bridge does not pass on this call; ``WireError`` if it is not
  ///   understood.
  func passed(_ message: ArraySlice<UInt8>) throws -> Passed {
    let header = try WireCoding.decode(CallHeader.self, from: message)
    guard let method = methods.first(where: { $0.fullName == header.method }) else {
      throw refusal(of: header.method)
    }
    // `Attach` and `Watch` go on without end. All other methods have one reply.
    let isEndless = method == Methods.Attach.self || method == Methods.Watch.self
    let isStream = isEndless && header.more == true
    return Passed(
      bytes: try rewritten(message, as: method, more: isStream), isStream: isStream,
      isOneway: header.oneway == true)
  }

  private func rewritten<Method: BrokerMethod>(
    _ message: ArraySlice<UInt8>, as method: Method.Type, more: Bool
  ) throws -> [UInt8] {
    var parameters = try WireCoding.decode(CallParameters<Method.Parameters>.self, from: message).parameters
    if let panic = parameters as? Methods.Panic.Parameters, self != .rules,
      panic.lift == true || panic.end == true
    {
      throw refusal(of: "the end of a panic, or of programs")
    }
    // No alert comes up at a dashboard that only watches, because nobody could answer it there.
    if self == .watch, var attach = parameters as? Methods.Attach.Parameters {
      attach.picks = true
      parameters = attach as? Method.Parameters ?? parameters
    }
    return try WireCoding.encode(
      CallMessage(method: method.fullName, parameters: parameters, more: more ? true : nil))
  }

  private func refusal(of what: String) -> BrokerError {
    .mayNotChange(
      reason:
        "this bridge does not pass on \(VisibleText.brief(what)); what it passes on is up to the machine's "
        + "owner, who wrote the line for this key into authorized_keys")
  }
}
