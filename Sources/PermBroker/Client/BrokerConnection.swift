import Glibc
import Machine

/// A connection to a broker, for one call at a time. A caller can block its thread until a reply arrives, or wait for
/// the reply in a task.
///
/// The blocking functions start no other thread, so that commands start as fast as possible.
package final class BrokerConnection: Sendable {
  /// The socket. It becomes readable when a reply arrives or the broker goes away.
  package let descriptor: Int32
  private let buffer = Lock(MessageBuffer(limit: MessageBuffer.longestReply))
  private let whenSilent: (@Sendable (_ silence: String) -> Void)?

  /// Connects to the first of the given addresses where a broker run by this user or by root is listening.
  ///
  /// - Parameter whenSilent: Says that the broker does not reply. The call goes on to wait.
  package init(
    to socket: BrokerSocket, among addresses: [BrokerAddress],
    whenSilent: (@Sendable (_ silence: String) -> Void)? = nil
  ) throws(BrokerSocketError) {
    self.whenSilent = whenSilent
    descriptor = try UnixSocket.connectToOwn(socket, among: addresses)
  }

  deinit { close(descriptor) }

  /// The time within which a broker replies. It might wait five seconds for another process that is writing to the store.
  package static let patience = Duration.seconds(10)

  /// Calls a method, and waits for its only reply.
  ///
  /// - Throws: ``BrokerError/silent`` if the broker does not reply in time.
  func call<Method: BrokerMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, within patience: Duration = patience
  ) throws(BrokerError) -> Method.Reply {
    try send(method, parameters, more: false)
    let start = ContinuousClock.now
    if let whenSilent, patience > Self.promptness {
      if let reply = try reply(of: method, until: start + Self.promptness) { return reply }
      whenSilent(silence)
    }
    guard let reply = try reply(of: method, until: start + patience) else { throw .silent }
    return reply
  }

  /// Waits for the only reply to the call. Returns `nil` if the time is up first.
  private func reply<Method: BrokerMethod>(
    of method: Method.Type, until end: ContinuousClock.Instant
  ) throws(BrokerError) -> Method.Reply? {
    while true {
      if let found = try buffered(of: method) { return found.reply }
      let left = Int32(clamping: (end - .now).wholeMilliseconds)
      guard left > 0, !Readable.poll([descriptor], milliseconds: left).isEmpty else { return nil }
      try read()
    }
  }

  /// Sends a call without waiting for replies.
  func send<Method: BrokerMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, more: Bool
  ) throws(BrokerError) {
    let call = CallMessage(method: method.fullName, parameters: parameters, more: more ? true : nil)
    let message = try understood { () throws(WireError) in try WireCoding.encode(call) }
    // The message ends with a NUL, which does not count.
    guard message.count - 1 <= MessageBuffer.longestCall else { throw .tooLong(bytes: message.count - 1) }
    try write(message)
  }

  /// Blocks the thread until the next reply to the call arrives. Returns the reply, and whether more replies
  /// will follow.
  func next<Method: BrokerMethod>(
    of method: Method.Type
  ) throws(BrokerError) -> (reply: Method.Reply, continues: Bool) {
    while true {
      if let found = try buffered(of: method) { return found }
      try read()
    }
  }

  /// Waits for the next reply like the blocking function above, but in a task. No reply is lost if the task is
  /// cancelled.
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

  /// Returns the next reply if it is completely in the buffer, otherwise `nil`. Only ``read()`` fills the buffer.
  func buffered<Method: BrokerMethod>(
    of method: Method.Type
  ) throws(BrokerError) -> (reply: Method.Reply, continues: Bool)? {
    let message = try understood { () throws(WireError) in
      try buffer.withLock { buffer throws(WireError) in try buffer.next() }
    }
    guard let message else { return nil }
    return try understood { () throws(WireError) in try Replies.read(message, of: method) }.get()
  }

  /// Reads the available bytes into the buffer. If there are none, blocks the thread until some arrive.
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

/// Runs a closure. Converts a wire error, for example about a malformed reply, into an error for the caller.
func understood<Value>(_ read: () throws(WireError) -> Value) throws(BrokerError) -> Value {
  do {
    return try read()
  } catch {
    throw .notUnderstood("\(error)")
  }
}

enum Replies {
  /// Returns a reply's parameters and whether more replies follow, or the error that the broker sent instead.
  static func read<Method: BrokerMethod>(
    _ message: ArraySlice<UInt8>, of method: Method.Type
  ) throws(WireError) -> Result<(reply: Method.Reply, continues: Bool), BrokerError> {
    switch try WireCoding.decode(ReadReply<Method.Reply>.self, from: message) {
    case .reply(let reply, let continues): return .success((reply, continues))
    case .error(let name, let details): return .failure(BrokerError(name, details, of: method.fullName))
    }
  }
}

/// A reply as a client reads it. It is decoded only once, because the first decoding of each type takes time.
private enum ReadReply<Reply: Decodable>: Decodable {
  case reply(Reply, continues: Bool)
  case error(String, Wire.ErrorDetails)

  private enum CodingKeys: CodingKey { case continues, error }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    if let name = try fields.decodeIfPresent(String.self, forKey: .error) {
      self = .error(name, try CallParameters<Wire.ErrorDetails>(from: decoder).parameters)
    } else {
      let continues = try fields.decodeIfPresent(Bool.self, forKey: .continues) ?? false
      self = .reply(try CallParameters<Reply>(from: decoder).parameters, continues: continues)
    }
  }
}
