import CSystemd

/// A connection to the session bus. Only one thread uses it, the one that turns its loop.
final class Bus {
  let pointer: OpaquePointer
  private var handlers: [Handler] = []

  /// Connects to the person's bus.
  init() throws(BusError) {
    var pointer: OpaquePointer?
    try onBus(sd_bus_open_user(&pointer))
    guard let pointer else { throw BusError(code: -ENOTCONN) }
    self.pointer = pointer
  }

  deinit {
    for handler in handlers { handler.release() }
    sd_bus_flush_close_unref(pointer)
  }

  /// A closure that the library calls, and the slot by which it knows it.
  private final class Handler {
    /// Returns whether the message was handled.
    let handle: (BusMessage) -> Bool
    var slot: OpaquePointer?

    init(_ handle: @escaping (BusMessage) -> Bool) { self.handle = handle }

    func release() { sd_bus_slot_unref(slot) }

    static let callback: sd_bus_message_handler_t = { message, data, _ in
      guard let message, let data else { return 0 }
      let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
      return handler.handle(BusMessage(message)) ? 1 : 0
    }
  }
}

// MARK: - Serving and watching

extension Bus {
  /// Serves an object and all below it.
  ///
  /// - Parameter handle: Returns whether the call was handled; its reply may follow later.
  func serve(_ path: String, _ handle: @escaping (BusMessage) -> Bool) throws(BusError) {
    let handler = Handler(handle)
    let data = Unmanaged.passUnretained(handler).toOpaque()
    try onBus(sd_bus_add_fallback(pointer, &handler.slot, path, Handler.callback, data))
    handlers.append(handler)
  }

  /// Watches for signals that match a rule.
  func watch(_ rule: String, _ handle: @escaping (BusMessage) -> Void) throws(BusError) {
    let handler = Handler {
      handle($0)
      return false
    }
    let data = Unmanaged.passUnretained(handler).toOpaque()
    try onBus(sd_bus_add_match_async(pointer, &handler.slot, rule, Handler.callback, nil, data))
    handlers.append(handler)
  }

  /// Asks for a name, which nobody else has and nobody can take away.
  ///
  /// - Parameter taken: Called with whether the name is this connection's now.
  func request(name: String, _ taken: @escaping (Bool) -> Void) throws(BusError) {
    try call(Self.daemon, "/org/freedesktop/DBus", Self.daemon, "RequestName") { message throws(BusError) in
      try message.add(name)
      // The flag 4 is DBUS_NAME_FLAG_DO_NOT_QUEUE.
      try message.add(4)
    } reply: { result in
      guard case .success(let reply) = result, let answer = try? reply.number() else { return taken(false) }
      // 1 is DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER.
      taken(answer == 1)
    }
  }

  static let daemon = "org.freedesktop.DBus"
}

// MARK: - Calling

extension Bus {
  typealias Reply = (Result<BusMessage, BusError>) -> Void

  /// The closure that waits for a reply. It lives until the reply has come, also if that is only an error of the
  /// library's.
  private final class Waiting {
    let reply: Reply
    init(_ reply: @escaping Reply) { self.reply = reply }

    static let callback: sd_bus_message_handler_t = { message, data, _ in
      guard let message, let data else { return 0 }
      let waiting = Unmanaged<Waiting>.fromOpaque(data).takeRetainedValue()
      let reply = BusMessage(message)
      waiting.reply(reply.error.map { .failure($0) } ?? .success(reply))
      return 0
    }
  }

  /// Calls a method without waiting for its reply.
  func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String,
    _ write: (OutgoingMessage) throws(BusError) -> Void, reply: @escaping Reply
  ) throws(BusError) {
    let message = try OutgoingMessage.call(pointer, destination, path, interface, member)
    try write(message)
    let data = Unmanaged.passRetained(Waiting(reply))
    let result = sd_bus_call_async(pointer, nil, message.pointer, Waiting.callback, data.toOpaque(), 0)
    guard result >= 0 else {
      data.release()
      throw BusError(code: result)
    }
  }
}
