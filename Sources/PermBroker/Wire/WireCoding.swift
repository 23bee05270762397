import FoundationEssentials

/// The encoding of values as Varlink messages, and the decoding of such messages.
enum WireCoding {
  static func encode(_ value: some Encodable) throws(WireError) -> [UInt8] {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.withoutEscapingSlashes]
      // JSON writes a NUL inside a string as \u0000, so the only NUL byte is the one that ends the message.
      return Array(try encoder.encode(value)) + [0]
    } catch {
      throw .malformed("a value cannot be written: \(error)")
    }
  }

  static func decode<Value: Decodable>(
    _ type: Value.Type, from message: ArraySlice<UInt8>
  ) throws(WireError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(message))
    } catch let error as DecodingError {
      throw .malformed(error.inWords)
    } catch {
      throw .malformed("it is not JSON")
    }
  }
}

extension DecodingError {
  /// A description of the wrong value's place in the message, and of what is wrong with the value.
  var inWords: String {
    switch self {
    case .keyNotFound(let key, let context): "\(path(context, key)) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context): "\(path(context)) has the wrong type"
    case .dataCorrupted(let context):
      context.codingPath.isEmpty ? "it is not JSON" : "\(path(context)) has a wrong value"
    @unknown default: "it cannot be read"
    }
  }

  private func path(_ context: Context, _ key: (any CodingKey)? = nil) -> String {
    let keys = context.codingPath + (key.map { [$0] } ?? [])
    return keys.isEmpty ? "the message" : keys.map(\.stringValue).joined(separator: ".")
  }
}

/// The values of the interface `io.permtui.Broker`, in the form in which they are sent. Each type corresponds
/// to the type with the same name in the interface's description, which explains the fields.
enum Wire {}
