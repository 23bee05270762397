import Machine
import PermModel

/// The work of `permtui bridge`: it reads calls from a dashboard on another machine, passes them on to the broker, and
/// writes the replies.
///
/// Calls are answered one at a time, in order, as Varlink wants it. There is one exception, so that a dashboard needs one
/// connection only: while `Attach` or `Watch` goes on, other calls are answered in between. A reply with `continues`
/// belongs to the one that goes on, any other to the other call. When the one that goes on is over, the bridge ends. It
/// then passes on an error, and nothing else, so that no call of which the bridge knows nothing is taken for done.
package struct BridgeRelay {
  /// A call that the broker has not answered completely.
  private struct Leg {
    let connection: RelayedConnection
    let isOneway: Bool
    var replies = MessageBuffer(limit: MessageBuffer.longestReply)

    var descriptor: Int32 { connection.descriptor }
  }

  private let input: Int32
  private let output: Int32
  private let rule: BridgeRule
  /// The id of the broker.
  private let machine: String
  private let hello: @Sendable () -> BridgeHello.Reply
  private let connect: () throws -> RelayedConnection
  private var calls = MessageBuffer(limit: MessageBuffer.longestCall)
  private var stream: Leg?
  /// The last reply of the stream, which waits until the other call has its reply.
  private var lastOfStream: [UInt8]?
  private var call: Leg?
  /// Whether the dashboard sends no more calls.
  private var isInputOver = false

  /// - Parameters:
  ///   - hello: Describes this machine.
  ///   - connect: Connects to the broker's socket `control`.
  init(
    input: Int32, output: Int32, rule: BridgeRule, hello: @escaping @Sendable () -> BridgeHello.Reply,
    connect: @escaping () throws -> RelayedConnection
  ) {
    (self.input, self.output, self.rule) = (input, output, rule)
    (self.hello, self.connect) = (hello, connect)
    machine = hello().machine
  }

  /// The end of a bridge in the middle of a call.
  private enum Ended: Error { case outputClosed, streamOver }

  /// Relays until the dashboard hangs up.
  ///
  /// - Throws: ``BrokerError/disconnected`` if the broker goes away meanwhile.
  package mutating func run() throws {
    // A dashboard that hangs up is no reason to end by a signal, in the middle of an answer.
    WholeWrite.surviveLostReaders()
    do {
      while try step() {}
    } catch Ended.outputClosed, Ended.streamOver {}
  }

  /// Waits for the next bytes, and passes on what is complete. Returns `false` once no more calls come.
  private mutating func step() throws -> Bool {
    // A dashboard that sends without end waits, like any client, until its calls are answered.
    let reads = !isInputOver && calls.pending <= MessageBuffer.longestCall
    let legs = [lastOfStream == nil ? stream : nil, call].compactMap(\.?.descriptor)
    let ready = Readable.poll(legs + (reads ? [input] : []))
    if let leg = stream, ready.contains(leg.descriptor) { try follow(leg) }
    if let leg = call, ready.contains(leg.descriptor) { try finish(leg) }
    if ready.contains(input) {
      if let bytes = Readable.bytes(of: input) { calls.append(bytes) } else { isInputOver = true }
    }
    guard try beginCalls() else { return false }
    // The calls that have arrived are still answered.
    return !isInputOver || call != nil
  }

  private mutating func beginCalls() throws -> Bool {
    while call == nil {
      do {
        guard let message = try calls.next() else { return true }
        guard try begin(message) else { return false }
      } catch is WireError {
        try refuse(.tooLong(bytes: nil))
        return false
      }
    }
    return true
  }

  // MARK: Calls

  /// Begins a call. Returns `false` if the message is no call at all.
  private mutating func begin(_ message: ArraySlice<UInt8>) throws -> Bool {
    guard let header = try? WireCoding.decode(CallHeader.self, from: message) else { return false }
    if header.method == BridgeHello.fullName {
      try write(WireCoding.encode(ReplyMessage(parameters: hello())))
      return true
    }
    do {
      let passed = try rule.passed(message, to: machine)
      if passed.isStream, stream != nil {
        throw BrokerError.invalid(parameter: "more", reason: "only one call with several replies can go on")
      }
      try send(passed)
    } catch let error as BrokerError where error != .disconnected {
      if header.oneway != true { try refuse(error) }
    } catch let error as WireError {
      if header.oneway != true { try refuse(.notUnderstood("\(error)")) }
    }
    return true
  }

  private mutating func send(_ passed: BridgeRule.Passed) throws {
    let leg = Leg(connection: try connect(), isOneway: passed.isOneway)
    if passed.isStream { stream = leg } else { call = leg }
    guard WholeWrite.write(passed.bytes, to: leg.descriptor) == 0 else { throw BrokerError.disconnected }
  }

  private func refuse(_ error: BrokerError) throws {
    let (name, details) = error.wire
    try write(WireCoding.encode(ReplyMessage(parameters: details, error: name)))
  }

  // MARK: Replies

  private struct ReplyHeader: Decodable {
    var continues: Bool?
    var error: String?
  }

  private mutating func follow(_ leg: Leg) throws {
    var leg = leg
    try Self.receive(&leg)
    stream = leg
    while let message = try stream?.replies.next() {
      if try WireCoding.decode(ReplyHeader.self, from: message).continues == true {
        try write(message + [0])
      } else {
        lastOfStream = Array(message)
        return call == nil ? try endStream() : ()
      }
    }
  }

  private mutating func finish(_ leg: Leg) throws {
    var leg = leg
    try Self.receive(&leg)
    call = leg
    guard let message = try call?.replies.next() else { return }
    call = nil
    if !leg.isOneway { try write(message + [0]) }
    if lastOfStream != nil { try endStream() }
  }

  private func endStream() throws {
    if let last = lastOfStream, try WireCoding.decode(ReplyHeader.self, from: last[...]).error != nil {
      try write(last + [0])
    }
    throw Ended.streamOver
  }

  // MARK: Bytes

  private static func receive(_ leg: inout Leg) throws {
    guard let bytes = Readable.bytes(of: leg.descriptor) else { throw BrokerError.disconnected }
    leg.replies.append(bytes)
  }

  private func write(_ message: some Collection<UInt8>) throws {
    guard WholeWrite.write(Array(message), to: output) == 0 else { throw Ended.outputClosed }
  }
}

extension BridgeRelay {
  /// Creates the bridge of a process, between its standard streams and the broker at a place.
  ///
  /// - Parameters:
  ///   - name: The operator for whom the bridge acts.
  ///   - version: The version of this program.
  ///   - now: The present moment.
  package init(
    to place: BrokerLocation, store: String, rule: BridgeRule, for name: RemoteName?, version: String,
    now: @escaping @Sendable () -> Timestamp
  ) {
    let id = BrokerID.of(store: store, user: ProcessUser.own)
    self.init(
      input: 0, output: 1, rule: rule,
      hello: {
        BridgeHello.Reply(
          machine: id, host: HostName.current, version: version, operator: name?.text,
          passes: rule.rawValue, now: now().microseconds)
      },
      connect: {
        do {
          return try RelayedConnection(to: .control, among: place.addresses)
        } catch {
          throw BrokerError.disconnected
        }
      })
  }
}
