/// Decodes what an empty JSON object holds.
struct EmptyObjectDecoder: Decoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(EmptyContainer<Key>())
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw notAnObject }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw notAnObject }

  private var notAnObject: DecodingError {
    .typeMismatch([String: String].self, .init(codingPath: [], debugDescription: "parameters are an object"))
  }
}

private struct EmptyContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let codingPath: [any CodingKey] = []
  let allKeys: [Key] = []

  func contains(_ key: Key) -> Bool { false }
  func decodeNil(forKey key: Key) throws -> Bool { throw missing(key) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { throw missing(key) }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { throw missing(key) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw missing(key) }
  func superDecoder() throws -> any Decoder { EmptyObjectDecoder() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw missing(key) }

  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(key, .init(codingPath: [], debugDescription: "no parameters were given"))
  }
}
