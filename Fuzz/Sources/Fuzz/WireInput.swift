@testable import PermBroker

/// Bytes that come over a socket, from a client or from somebody who plays the broker.
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

  /// The messages; `nil` where one is too long.
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

  private static func read(_ message: ArraySlice<UInt8>) {
    if let header = try? WireCoding.decode(CallHeader.self, from: message) {
      _ = (header.interface, header.name)
    }
    for method in methods { method(message) }
  }

  private typealias Reader = @Sendable (ArraySlice<UInt8>) -> Void

  /// What is decoded must come out the same when it is sent on.
  private static let methods: [Reader] = [
    reader(of: Methods.Request.self), reader(of: Methods.Status.self), reader(of: Methods.Answer.self),
    reader(of: Methods.Allow.self), reader(of: Methods.Forget.self), reader(of: Methods.Undo.self),
    reader(of: Methods.Log.self), reader(of: Methods.Watch.self), reader(of: Methods.Attach.self),
    reader(of: Methods.Respond.self), reader(of: Methods.Pending.self),
  ]

  private static func reader<Method: BrokerMethod>(of method: Method.Type) -> Reader {
    { message in
      if let call = try? WireCoding.decode(CallParameters<Method.Parameters>.self, from: message) {
        _ = try? WireCoding.encode(CallMessage(method: Method.fullName, parameters: call.parameters))
        use(call.parameters)
      }
      if case .success((let reply, _))? = try? Replies.read(message, of: Method.self) { use(reply) }
    }
  }

  /// Turns what came into what the model works with.
  private static func use(_ value: Any) {
    switch value {
    case let parameters as Methods.RulingParameters: _ = try? parameters.lifetime?.choice()
    case let reply as Methods.Pending.Reply: _ = reply.requests.map(\.waiting)
    case let reply as Methods.Log.Reply: _ = reply.entries.map(\.entry)
    case let reply as Methods.Watch.Reply: _ = reply.entries.map(\.entry)
    case let reply as Methods.Attach.Reply: _ = try? reply.show?.alert()
    case let parameters as Methods.Request.Parameters:
      if let label = parameters.label { try? ForeignText.check(name: label) }
      if let reason = parameters.reason { try? ForeignText.check(reason: reason) }
    default: break
    }
  }
}
