import Machine
import PermModel

/// The calls to a broker on another machine, over one connection.
///
/// The bridge there answers calls in order. While one call with several replies goes on, a reply with `continues` belongs
/// to it, and any other to the call that has waited longest. The connection is cut as soon as the machine does not keep to
/// that.
final class MachineCaller: BrokerCaller {
  /// The greatest length of a reply. An alert has 64 KiB at most, and a list of what waits some more.
  private static let longestReply = 1 << 20
  /// The greatest number of replies that wait to be read. Each is read as soon as it has arrived.
  private static let mostUnread = 16

  private typealias Waiter = OneShot<Result<ArraySlice<UInt8>, BrokerError>>
  private typealias Stream = AsyncThrowingStream<ArraySlice<UInt8>, any Error>

  private struct State {
    /// The calls that wait for their only reply, in the order in which they were sent.
    var waiters: [Waiter] = []
    var stream: Stream.Continuation?
    var isOver = false
    /// The reason why the connection was cut on this side.
    var reason: MachineFault?
  }

  private let link: MachineLink
  private let state = Lock(State())
  private let reading = Lock<Task<Void, Never>?>(nil)

  init(_ link: MachineLink) {
    self.link = link
    let task = Task.quiet { [weak self] in await Self.read(link) { self?.take($0) ?? false } }
    reading.withLock { $0 = task }
  }

  deinit { reading.withLock { $0 }?.cancel() }

  /// The reason why the connection was cut on this side; `nil` if it was not.
  var reason: MachineFault? { state.withLock(\.reason) }

  // MARK: Calls

  func call<Method: BrokerMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    let waiter = Waiter()
    try send(method, parameters, more: false) { $0.waiters.append(waiter) }
    let patience = Task.quiet { [weak self] in
      guard (try? await QuietClock.sleep(for: BrokerConnection.patience)) != nil else { return }
      self?.cut(because: .silent(seconds: Int(BrokerConnection.patience.components.seconds)))
    }
    defer { patience.cancel() }
    return try Self.read(await waiter.value.get(), of: method).reply
  }

  func replies<Method: BrokerMethod>(
    to method: Method.Type, _ parameters: Method.Parameters
  ) throws -> AsyncThrowingStream<Method.Reply, any Error> {
    let (messages, continuation) = Stream.makeStream(bufferingPolicy: .bufferingOldest(Self.mostUnread))
    try send(method, parameters, more: true) { $0.stream = continuation }
    return AsyncThrowingStream {
      for try await message in messages { return try Self.read(message, of: method).reply }
      return nil
    }
  }

  private func send<Method: BrokerMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, more: Bool, _ note: (inout State) -> Void
  ) throws {
    let call = CallMessage(method: method.fullName, parameters: parameters, more: more ? true : nil)
    let message = try understood { () throws(WireError) in try WireCoding.encode(call) }
    // Calls are sent in the order in which their replies are awaited.
    let isSent = state.withLock { state in
      guard !state.isOver, link.send(message) else { return false }
      note(&state)
      return true
    }
    guard isSent else {
      cut(because: .ended("it does not read"))
      throw BrokerError.disconnected
    }
  }

  private static func read<Method: BrokerMethod>(
    _ message: ArraySlice<UInt8>, of method: Method.Type
  ) throws(BrokerError) -> (reply: Method.Reply, continues: Bool) {
    try understood { () throws(WireError) in try Replies.read(message, of: method) }.get()
  }

  // MARK: Replies

  private struct Header: Decodable {
    var continues: Bool?
  }

  /// The next message, `nil` at the end; or the reason why there is none.
  private typealias Read = Result<ArraySlice<UInt8>?, MachineFault>

  private static func read(_ link: MachineLink, _ take: (Read) -> Bool) async {
    var buffer = MessageBuffer(limit: longestReply)
    while let bytes = await link.received() {
      buffer.append(bytes)
      do {
        while let message = try buffer.next() { guard take(.success(message)) else { return } }
      } catch {
        _ = take(.failure(.nonsense("a reply has more than \(longestReply) bytes")))
        return
      }
    }
    _ = take(.success(nil))
  }

  /// Takes what was read. Returns whether more is awaited.
  private func take(_ read: Read) -> Bool {
    let message: ArraySlice<UInt8>
    switch read {
    case .success(let next?): message = next
    case .success(nil): return stop(nil)
    case .failure(let fault): return stop(fault)
    }
    guard let header = try? WireCoding.decode(Header.self, from: message) else {
      return stop(.nonsense("a reply cannot be read"))
    }
    if header.continues == true { return follow(message) }
    let waiter: Waiter? = state.withLock { $0.waiters.isEmpty ? nil : $0.waiters.removeFirst() }
    guard let waiter else {
      // The call that went on has ended, with its error.
      state.withLock(\.stream)?.yield(message)
      return stop(.ended("it shows no more alerts"))
    }
    waiter.set(.success(message))
    return true
  }

  private func follow(_ message: ArraySlice<UInt8>) -> Bool {
    switch state.withLock(\.stream)?.yield(message) {
    case .enqueued: true
    case .dropped: stop(.nonsense("it sends more than can be read"))
    default: stop(.nonsense("it sends replies to no call"))
    }
  }

  private func stop(_ reason: MachineFault?) -> Bool {
    cut(because: reason)
    return false
  }

  /// Ends the connection, and with it all calls.
  ///
  /// - Parameter reason: What the machine has done to deserve it; `nil` for the end of the connection itself.
  func cut(because reason: MachineFault? = nil) {
    let ended: State = state.withLock { state in
      defer {
        state.isOver = true
        state.reason = state.reason ?? reason
        (state.waiters, state.stream) = ([], nil)
      }
      return state
    }
    for waiter in ended.waiters { waiter.set(.failure(.disconnected)) }
    ended.stream?.finish()
    // At its own end, ssh has something to say about the reason.
    if reason != nil { link.cut() }
  }
}
