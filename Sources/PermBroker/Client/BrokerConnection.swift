import Glibc
import Machine

/// A connection to a broker, with one call at a time. Either the calling thread or a task waits for the replies.
///
/// In the calling thread, it uses no other thread, so that commands start as fast as possible.
package final class BrokerConnection: Sendable {
  /// Readable when there are replies, or the broker is gone.
  let descriptor: Int32
  private let buffer = Lock(MessageBuffer(limit: MessageBuffer.longestReply))

  /// Connects to the first of some addresses at which a broker of this user listens.
  package init(
    to socket: BrokerSocket, among addresses: [BrokerAddress]
  ) throws(BrokerSocketError) {
    descriptor = try UnixSocket.connectToOwn(socket, among: addresses)
  }

  deinit { close(descriptor) }

  /// Calls a method, and waits for its only reply.
  func call<Method: BrokerMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) throws(BrokerError) -> Method.Reply {
    try send(method, parameters, more: false)
    return try next(of: method).reply
  }

  /// Sends a call without waiting for replies.
  func send<Method: BrokerMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, more: Bool
  ) throws(BrokerError) {
    let call = CallMessage(method: method.fullName, parameters: parameters, more: more ? true : nil)
    try write(try understood { () throws(WireError) in try WireCoding.encode(call) })
  }

  /// Waits for the next reply to the call, and returns it and whether more will follow.
  func next<Method: BrokerMethod>(
    of method: Method.Type
  ) throws(BrokerError) -> (reply: Method.Reply, continues: Bool) {
    while true {
      if let found = try buffered(of: method) { return found }
      try read()
    }
  }

  /// The same in a task, which may be cancelled without losing a reply.
  func next<Method: BrokerMethod>(
    of method: Method.Type
  ) async throws -> (reply: Method.Reply, continues: Bool) {
    while true {
      if let found = try buffered(of: method) { return found }
      await Readable.wait(for: descriptor)
      try Task.checkCancellation()
      try read()
    }
  }

  /// The next reply, if it has arrived already. Call ``read()`` when there are bytes.
  func buffered<Method: BrokerMethod>(
    of method: Method.Type
  ) throws(BrokerError) -> (reply: Method.Reply, continues: Bool)? {
    let message = try understood { () throws(WireError) in
      try buffer.withLock { buffer throws(WireError) in try buffer.next() }
    }
    guard let message else { return nil }
    return try understood { () throws(WireError) in try Replies.read(message, of: method) }.get()
  }

  /// Reads the available bytes; waits if there are none.
  func read() throws(BrokerError) {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var count: Int
    repeat { count = Glibc.read(descriptor, &chunk, chunk.count) } while count < 0 && errno == EINTR
    guard count > 0 else { throw .disconnected }
    buffer.withLock { $0.append(chunk[..<count]) }
  }

  private func write(_ message: [UInt8]) throws(BrokerError) {
    var rest = message[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .disconnected }
      rest = rest.dropFirst(count)
    }
  }
}

/// Turns a wire error, such as a malformed reply, into an error for the caller.
func understood<Value>(_ read: () throws(WireError) -> Value) throws(BrokerError) -> Value {
  do {
    return try read()
  } catch {
    throw .notUnderstood("\(error)")
  }
}

enum Replies {
  /// Returns a reply's parameters and whether others follow, or the error that the broker replied with.
  static func read<Method: BrokerMethod>(
    _ message: ArraySlice<UInt8>, of method: Method.Type
  ) throws(WireError) -> Result<(reply: Method.Reply, continues: Bool), BrokerError> {
    let header = try WireCoding.decode(ReplyMessage<NoFields>.self, from: message)
    if let name = header.error {
      let details = try WireCoding.decode(CallParameters<Wire.ErrorDetails>.self, from: message).parameters
      return .failure(BrokerError(name, details, of: method.fullName))
    }
    let reply = try WireCoding.decode(CallParameters<Method.Reply>.self, from: message).parameters
    return .success((reply, header.continues ?? false))
  }
}
