import FoundationEssentials

@testable import PermBroker
@testable import PermModel

/// Bytes from a socket, from a client or from a process that impersonates the broker.
enum WireInput {
  static func take(_ bytes: [UInt8]) {
    // However the bytes arrive, the same messages come out.
    guard let whole = messages(in: [bytes[...]]) else {
      precondition(messages(in: bytes.map { [$0] }) == nil, "pieces made a wrong message a right one")
      return
    }
    let half = bytes.count / 2
    precondition(messages(in: [bytes[..<half], bytes[half...]]) == whole, "pieces changed the messages")
    for message in whole { read(message[...]) }
  }

  /// Returns the messages; `nil` if one is too long.
  private static func messages(in pieces: [ArraySlice<UInt8>]) -> [[UInt8]]? {
    var buffer = MessageBuffer(limit: 512)
    var found: [[UInt8]] = []
    do {
      for piece in pieces {
        buffer.append(piece)
        while let message = try buffer.next() { found.append(Array(message)) }
      }
      return found
    } catch {
      return nil
    }
  }

  /// Reads a message as both ends of a socket do: a call by the method that it names, a reply as that of any method.
  private static func read(_ message: ArraySlice<UInt8>) {
    guard let header = try? WireCoding.decode(CallHeader.self, from: message) else {
      for method in isObject(message) ? methods[...] : methods.prefix(1) { method.reply(message) }
      return
    }
    methods.first { $0.name == header.method }?.call(message)
  }

  private struct AnyObject: Decodable {}

  private static func isObject(_ message: ArraySlice<UInt8>) -> Bool {
    (try? WireCoding.decode(AnyObject.self, from: message)) != nil
  }

  private struct Reader: Sendable {
    let name: String
    let call: @Sendable (ArraySlice<UInt8>) -> Void
    let reply: @Sendable (ArraySlice<UInt8>) -> Void

    init<Method: BrokerMethod>(_ method: Method.Type) {
      name = Method.fullName
      call = { message in
        typealias Call = CallParameters<Method.Parameters>
        guard let parameters = try? WireCoding.decode(Call.self, from: message).parameters else { return }
        checkRoundTrip(parameters)
        use(parameters)
      }
      reply = { message in
        guard case .success((let reply, _))? = try? Replies.read(message, of: Method.self) else { return }
        checkRoundTrip(reply)
        use(reply)
      }
    }
  }

  private static let methods: [Reader] = [
    Reader(Methods.Request.self), Reader(Methods.Status.self), Reader(Methods.AskHere.self),
    Reader(Methods.AnswerHere.self), Reader(Methods.Withdraw.self), Reader(Methods.RequestFor.self),
    Reader(Methods.Pending.self), Reader(Methods.Answer.self), Reader(Methods.Allow.self),
    Reader(Methods.Deny.self), Reader(Methods.Forget.self), Reader(Methods.Undo.self),
    Reader(Methods.Log.self), Reader(Methods.State.self), Reader(Methods.Watch.self),
    Reader(Methods.Attach.self), Reader(Methods.Respond.self),
  ]

  /// Checks that the value can be encoded again, and decodes to the same value.
  private static func checkRoundTrip<Value: Codable>(_ value: Value) {
    guard let sent = try? WireCoding.encode(value) else { fatalError("what was read cannot be written") }
    guard let again = try? WireCoding.decode(Value.self, from: sent.dropLast()) else {
      fatalError("what was written cannot be read")
    }
    precondition(inOrder(again) == inOrder(value), "what was written reads otherwise")
  }

  /// Returns a text that is the same for the same value; encoded messages have their keys in any order.
  private static func inOrder(_ value: some Encodable) -> Data? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try? encoder.encode(value)
  }

  /// Converts a decoded value into the model's types.
  private static func use(_ value: Any) {
    switch value {
    case let parameters as Methods.RulingParameters:
      _ = try? parameters.lifetime?.choice()
      _ = try? parameters.requirements().map(CapabilityCatalogue.builtIn.reference)
    case let reply as Methods.Pending.Reply: _ = try? reply.requests.map { try $0.pending() }
    case let reply as Methods.Log.Reply: _ = try? reply.entries.map { try $0.entry() }
    case let reply as Methods.Watch.Reply: _ = try? reply.entries.map { try $0.entry() }
    case let reply as Methods.Attach.Reply:
      var picture = ScreenPicture()
      try? reply.apply(to: &picture)
    case let parameters as Methods.Request.Parameters:
      if let label = parameters.label { try? ForeignText.check(name: label) }
      if let reason = parameters.reason { try? ForeignText.check(reason: reason) }
    default: break
    }
  }
}
