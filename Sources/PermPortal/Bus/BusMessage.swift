import CSystemd

/// A message that has arrived, with a place up to which it has been read.
final class BusMessage {
  let pointer: OpaquePointer

  /// Keeps a message beyond its handler.
  init(_ pointer: OpaquePointer) {
    self.pointer = pointer
    sd_bus_message_ref(pointer)
  }

  deinit { sd_bus_message_unref(pointer) }

  /// The unique name of the peer that has sent the message.
  var sender: String { sd_bus_message_get_sender(pointer).map { String(cString: $0) } ?? "" }
  var path: String { sd_bus_message_get_path(pointer).map { String(cString: $0) } ?? "" }
  /// Whether the message is a signal for whoever watches for it, and not for this connection alone.
  var isForEverybody: Bool { sd_bus_message_get_destination(pointer) == nil }
  /// The types of all arguments.
  var signature: String { sd_bus_message_get_signature(pointer, 1).map { String(cString: $0) } ?? "" }

  func isCall(_ interface: String, _ member: String) -> Bool {
    sd_bus_message_is_method_call(pointer, interface, member) > 0
  }

  /// The error that answers a call; `nil` if it succeeded.
  var error: BusError? {
    guard sd_bus_message_is_method_error(pointer, nil) > 0,
      let error = sd_bus_message_get_error(pointer)?.pointee
    else { return nil }
    return BusError(
      name: error.name.map { String(cString: $0) } ?? "",
      message: error.message.map { String(cString: $0) } ?? "")
  }
}

// MARK: - Reading

extension BusMessage {
  /// Checks the types of all arguments, so that each can be read without looking at its type again.
  func check(_ signature: String) throws(BusError) {
    guard self.signature == signature else {
      throw .badArguments("expected arguments of the types \(signature)")
    }
  }

  /// Reads a text.
  ///
  /// - Throws: ``BusError`` if it has more bytes than the limit.
  func text(_ type: BusType = .string, limit: Int = 4096) throws(BusError) -> String {
    var text: UnsafePointer<CChar>?
    let result = withUnsafeMutablePointer(to: &text) {
      sd_bus_message_read_basic(pointer, type.character, $0)
    }
    try onBus(result)
    guard let text, strnlen(text, limit + 1) <= limit else {
      throw .badArguments("a text of more than \(limit) bytes")
    }
    return String(cString: text)
  }

  func number() throws(BusError) -> UInt32 {
    var number: UInt32 = 0
    let result = withUnsafeMutablePointer(to: &number) {
      sd_bus_message_read_basic(pointer, BusType.number.character, $0)
    }
    try onBus(result)
    return number
  }

  func flag() throws(BusError) -> Bool {
    var flag: Int32 = 0
    let result = withUnsafeMutablePointer(to: &flag) {
      sd_bus_message_read_basic(pointer, BusType.flag.character, $0)
    }
    try onBus(result)
    return flag != 0
  }

  func skip(_ types: String) throws(BusError) { try onBus(sd_bus_message_skip(pointer, types)) }

  /// Reads what is in a container. Returns `nil` if there is no further container of this type.
  func inside<Value>(
    _ type: BusType, _ contents: String, _ read: () throws(BusError) -> Value
  ) throws(BusError) -> Value? {
    guard try onBus(sd_bus_message_enter_container(pointer, type.character, contents)) > 0 else { return nil }
    let value = try read()
    try onBus(sd_bus_message_exit_container(pointer))
    return value
  }

  /// Reads the elements of an array.
  func array<Value>(
    _ contents: String, _ read: () throws(BusError) -> Value?
  ) throws(BusError) -> [Value] {
    let values = try inside(.array, contents) { () throws(BusError) in
      var values: [Value] = []
      while let value = try read() { values.append(value) }
      return values
    }
    return values ?? []
  }

  /// Reads an array of texts.
  func texts() throws(BusError) -> [String] {
    try array("s") { () throws(BusError) in isAtEnd ? nil : try text() }
  }

  /// Whether the container in which is read, or else the message, has been read completely.
  private var isAtEnd: Bool { sd_bus_message_at_end(pointer, 0) != 0 }

  /// The type of the next value if it is in a variant.
  var variantType: String? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard sd_bus_message_peek_type(pointer, &type, &contents) > 0, type == BusType.variant.character else {
      return nil
    }
    return contents.map { String(cString: $0) }
  }
}

/// A type of the bus, by the letter that stands for it.
enum BusType: Character {
  case string = "s"
  case path = "o"
  case flag = "b"
  case number = "u"
  case array = "a"
  case variant = "v"
  case entry = "e"
  case structure = "r"

  /// The letter as C knows it. The type `char` has a sign on some machines only.
  var character: CChar { CChar(truncatingIfNeeded: rawValue.asciiValue ?? 0) }
}
