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
  /// - Parameter machine: The id of the broker that the bridge leads to.
  /// - Throws: ``BrokerError/mayNotChange(reason:)`` if the bridge does not pass on this call; another ``BrokerError`` if it
  ///   answers what was read on another machine; ``WireError`` if it is not understood.
  func passed(_ message: ArraySlice<UInt8>, to machine: String) throws -> Passed {
    let header = try WireCoding.decode(CallHeader.self, from: message)
    guard let method = methods.first(where: { $0.fullName == header.method }) else {
      throw refusal(of: header.method)
    }
    // `Attach` and `Watch` go on without end. All other methods have one reply.
    let isEndless = method == Methods.Attach.self || method == Methods.Watch.self
    let isStream = isEndless && header.more == true
    return Passed(
      bytes: try rewritten(message, as: method, more: isStream, to: machine), isStream: isStream,
      isOneway: header.oneway == true)
  }

  private func rewritten<Method: BrokerMethod>(
    _ message: ArraySlice<UInt8>, as method: Method.Type, more: Bool, to machine: String
  ) throws -> [UInt8] {
    var parameters = try WireCoding.decode(CallParameters<Method.Parameters>.self, from: message).parameters
    if let panic = parameters as? Methods.Panic.Parameters, self != .rules,
      panic.lift == true || panic.end == true
    {
      throw refusal(of: "the end of a panic, or of programs")
    }
    if var answering = parameters as? any AnsweringParameters {
      answering.digest = try Self.local(answering.digest, machine)
      parameters = answering as? Method.Parameters ?? parameters
    }
    // No alert comes up at a dashboard that only watches, because nobody could answer it there.
    if self == .watch, var attach = parameters as? Methods.Attach.Parameters {
      attach.picks = true
      parameters = attach as? Method.Parameters ?? parameters
    }
    return try WireCoding.encode(
      CallMessage(method: method.fullName, parameters: parameters, more: more ? true : nil))
  }

  /// Returns a digest as the broker knows it. Before the bridge it ends with the broker's id, so that an answer to an alert of
  /// another machine, which a dashboard has mixed up with this one, is never passed on.
  private static func local(_ digest: String?, _ machine: String) throws(BrokerError) -> String? {
    guard let digest else { return nil }
    guard digest.hasSuffix("@\(machine)") else {
      throw .invalid(
        parameter: "digest", reason: "it does not end with @ and the id of this machine's broker")
    }
    return String(digest.dropLast(machine.count + 1))
  }

  private func refusal(of what: String) -> BrokerError {
    .mayNotChange(
      reason:
        "this bridge does not pass on \(VisibleText.brief(what)); what it passes on is up to the machine's "
        + "owner, who wrote the line for this key into authorized_keys")
  }
}

/// The parameters of a call that can name an alert by its digest.
private protocol AnsweringParameters {
  var digest: String? { get set }
}

extension Methods.Answer.Parameters: AnsweringParameters {}
extension Methods.Respond.Parameters: AnsweringParameters {}
