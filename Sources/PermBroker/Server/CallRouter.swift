import PermModel

/// A router that passes each call to the closure for the called method, and encodes the results as replies.
struct CallRouter: Sendable {
  struct Call: Sendable {
    var peer: Peer
    /// Whether the caller accepts several replies.
    var takesMore: Bool
  }

  /// Sends a reply that is followed by at least one more.
  typealias Send<Reply> = @Sendable (Reply) async throws -> Void

  private struct Route: Sendable {
    var socket: BrokerSocket
    var run:
      @Sendable (_ message: ArraySlice<UInt8>, _ call: Call, _ replies: ReplyWriter) async throws -> [UInt8]
  }

  private var routes: [String: Route] = [:]
  private let admitChange: @Sendable (_ peer: Peer, _ method: String) throws -> Void

  /// - Parameter admitChange: A closure that runs before every call that changes something. To refuse the call,
  ///   the closure throws an error.
  init(admitChange: @escaping @Sendable (_ peer: Peer, _ method: String) throws -> Void = { _, _ in }) {
    self.admitChange = admitChange
    let info = VarlinkService.GetInfo.Reply(
      vendor: "PermTUI", product: "permtui", version: "1", url: "https://permtui.example",
      interfaces: [VarlinkService.interface, BrokerError.interface])
    add(VarlinkService.GetInfo.self) { _, _, _ in info }
    add(VarlinkService.GetInterfaceDescription.self) { parameters, _, _ in
      guard let text = VarlinkService.description(of: parameters.interface) else {
        throw BrokerError.unknownInterface(parameters.interface)
      }
      return .init(description: text)
    }
  }

  /// Registers a closure that answers a method. The closure returns the last reply, and can send other
  /// replies before it.
  mutating func add<Method: BrokerMethod>(
    _ method: Method.Type,
    _ answer:
      @escaping @Sendable (Method.Parameters, Call, @escaping Send<Method.Reply>) async throws -> Method.Reply
  ) {
    routes[method.fullName] = Route(socket: method.socket) { [admitChange] message, call, replies in
      let parameters = try WireCoding.decode(CallParameters<Method.Parameters>.self, from: message).parameters
      if Method.changes(parameters) { try admitChange(call.peer, Method.name) }
      let last = try await answer(parameters, call) { reply in
        guard call.takesMore else { throw BrokerError.expectsMore(Method.fullName) }
        try await replies.write(try WireCoding.encode(ReplyMessage(parameters: reply, continues: true)))
      }
      return try WireCoding.encode(ReplyMessage(parameters: last))
    }
  }

  /// Registers a closure that carries out a method whose reply has no fields.
  mutating func add<Method: BrokerMethod>(
    _ method: Method.Type, _ carryOut: @escaping @Sendable (Method.Parameters, Call) throws -> Void
  ) where Method.Reply == NoFields {
    add(method) { parameters, call, _ in
      try carryOut(parameters, call)
      return NoFields()
    }
  }

  /// Answers one message. Returns `false` if the message is not a Varlink call, or if the reply cannot be sent.
  func answer(
    _ message: ArraySlice<UInt8>, at socket: BrokerSocket, from peer: Peer, _ replies: ReplyWriter
  ) async -> Bool {
    guard let header = try? WireCoding.decode(CallHeader.self, from: message) else { return false }
    do {
      let reply = try await reply(to: header, message, at: socket, from: peer, replies)
      if header.oneway != true { try await replies.write(reply) }
      return true
    } catch let error {
      guard header.oneway != true, let reply = try? Self.encode(error) else { return true }
      return (try? await replies.write(reply)) != nil
    }
  }

  private func reply(
    to header: CallHeader, _ message: ArraySlice<UInt8>, at socket: BrokerSocket, from peer: Peer,
    _ replies: ReplyWriter
  ) async throws -> [UInt8] {
    guard let route = routes[header.method] else {
      let isKnown = VarlinkService.description(of: String(header.interface)) != nil
      throw isKnown
        ? BrokerError.unknownMethod(header.method) : BrokerError.unknownInterface(String(header.interface))
    }
    guard route.socket == socket || header.interface == VarlinkService.interface else {
      throw BrokerError.onOtherSocket(method: header.method, route.socket)
    }
    return try await route.run(message, Call(peer: peer, takesMore: header.more ?? false), replies)
  }

  static func encode(_ error: any Error) throws(WireError) -> [UInt8] {
    let (name, details) = BrokerError(error).wire
    return try WireCoding.encode(ReplyMessage(parameters: details, error: name))
  }
}

extension BrokerError {
  /// Converts any error into one that can be reported to a client.
  init(_ error: any Error) {
    switch error {
    case let error as BrokerError: self = error
    case WireError.malformed(let what): self = .notUnderstood(what)
    case let refused as AnswerRefused: self.init(refused)
    case let refused as DecisionRefused: self.init(refused)
    case let refused as LookupRefused: self.init(refused)
    case StoreError.requestIDTaken:
      self = .invalid(parameter: "id", reason: "it belongs to another request; ask under a new, random one")
    case StoreError.nothingToUndo: self = .nothingToUndo
    case StoreError.nothingToRedo: self = .nothingToRedo
    case StoreError.undoRefused(_, let conflicts): self = .undoRefused(conflicts)
    default: self = .store(reason: "\(error)")
    }
  }
}
