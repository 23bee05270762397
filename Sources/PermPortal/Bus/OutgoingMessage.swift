import CSystemd

/// A message that is being written.
final class OutgoingMessage {
  let pointer: OpaquePointer

  /// - Parameter pointer: A message that nothing else refers to.
  fileprivate init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { sd_bus_message_unref(pointer) }

  /// Creates the reply to a call.
  static func reply(to call: BusMessage) throws(BusError) -> OutgoingMessage {
    var pointer: OpaquePointer?
    try onBus(sd_bus_message_new_method_return(call.pointer, &pointer))
    return try owning(pointer)
  }

  static func call(
    _ bus: OpaquePointer, _ destination: String, _ path: String, _ interface: String, _ member: String
  ) throws(BusError) -> OutgoingMessage {
    var pointer: OpaquePointer?
    try onBus(sd_bus_message_new_method_call(bus, &pointer, destination, path, interface, member))
    return try owning(pointer)
  }

  private static func owning(_ pointer: OpaquePointer?) throws(BusError) -> OutgoingMessage {
    guard let pointer else { throw BusError(code: -ENOMEM) }
    return OutgoingMessage(owning: pointer)
  }

  func send() throws(BusError) { try onBus(sd_bus_message_send(pointer)) }
}

// MARK: - Writing

extension OutgoingMessage {
  func add(_ text: String, _ type: BusType = .string) throws(BusError) {
    try onBus(text.withCString { sd_bus_message_append_basic(pointer, type.character, $0) })
  }

  func add(_ number: UInt32) throws(BusError) {
    var number = number
    try onBus(sd_bus_message_append_basic(pointer, BusType.number.character, &number))
  }

  func add(_ flag: Bool) throws(BusError) {
    var flag: Int32 = flag ? 1 : 0
    try onBus(sd_bus_message_append_basic(pointer, BusType.flag.character, &flag))
  }

  func add(_ texts: [String]) throws(BusError) {
    try inside(.array, "s") { () throws(BusError) in
      for text in texts { try add(text) }
    }
  }

  /// Adds a dictionary of options without entries.
  func addNoOptions() throws(BusError) { try inside(.array, "{sv}") {} }

  /// Adds a dictionary of options with a single number.
  func add(option name: String, _ number: UInt32) throws(BusError) {
    try inside(.array, "{sv}") { () throws(BusError) in
      try inside(.entry, "sv") { () throws(BusError) in
        try add(name)
        try inside(.variant, "u") { () throws(BusError) in try add(number) }
      }
    }
  }

  private func inside(
    _ type: BusType, _ contents: String, _ write: () throws(BusError) -> Void
  ) throws(BusError) {
    try onBus(sd_bus_message_open_container(pointer, type.character, contents))
    try write()
    try onBus(sd_bus_message_close_container(pointer))
  }
}

extension BusMessage {
  /// Answers a call with an error.
  func fail(_ error: BusError) {
    error.name.withCString { name in
      error.message.withCString { message in
        var error = sd_bus_error(name: name, message: message, _need_free: 0)
        sd_bus_reply_method_error(pointer, &error)
      }
    }
  }
}
