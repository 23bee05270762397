import PermModel

/// Describes Swift types in Varlink's form, by the keys that their decoding asks for, in order.
enum VarlinkSchema {
  /// Returns the fields of a structure, for example `(id: string, wait: ?int)`.
  static func fields(of type: any Decodable.Type) throws -> String {
    let recorder = FieldRecorder()
    _ = try type.init(from: recorder)
    return "(\(recorder.fields.joined(separator: ", ")))"
  }

  /// Returns a type in the form that follows a field's name.
  static func name(of type: any Decodable.Type) -> String {
    switch type {
    // Kinds of entries are added over time, so clients accept any.
    case is String.Type, is JournalEntry.Kind.Type: "string"
    case is Bool.Type: "bool"
    case is any FixedWidthInteger.Type: "int"
    case let list as any DecodableList.Type: "[]\(name(of: list.element))"
    case let choice as any Choice.Type: "(\(choice.names.joined(separator: ", ")))"
    case is ScopeFields.Type, is Scope.Type: "Scope"
    case is ProtectedFact.Type: "Protected"
    default: String(describing: type)
    }
  }

  /// Returns some value of a type.
  fileprivate static func sample<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let scope = Scope.any as? Value { return scope }
    if let choice = type as? any Choice.Type, let first = choice.firstCase as? Value { return first }
    return try Value(from: FieldRecorder())
  }
}

/// A list of any element.
private protocol DecodableList {
  static var element: any Decodable.Type { get }
}

extension Array: DecodableList where Element: Decodable {
  fileprivate static var element: any Decodable.Type { Element.self }
}

/// An enumeration whose cases are words.
protocol Choice {
  static var names: [String] { get }
  static var firstCase: Self { get }
}

extension Choice where Self: CaseIterable & RawRepresentable<String> {
  static var names: [String] { allCases.map(\.rawValue) }
  static var firstCase: Self { allCases[allCases.startIndex] }
}

/// Returns a value for every key that is asked for, and records the key.
private final class FieldRecorder: Decoder {
  var fields: [String] = []
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Fields<Key>(recorder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { EmptyList() }
  func singleValueContainer() -> any SingleValueDecodingContainer { Scalar() }

  struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: FieldRecorder
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      recorder.fields.append("\(key.stringValue): \(VarlinkSchema.name(of: type))")
      return try VarlinkSchema.sample(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
      recorder.fields.append("\(key.stringValue): ?\(VarlinkSchema.name(of: type))")
      return nil
    }

    // The protocol has separate functions for these types.
    func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { missing(type, key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? { missing(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { missing(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) -> Int32? { missing(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? { missing(type, key) }

    private func missing<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
      decodeIfPresent(type, forKey: key)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> { recorder.container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { EmptyList() }
    func superDecoder() -> any Decoder { recorder }
    func superDecoder(forKey key: Key) -> any Decoder { recorder }
  }

  struct EmptyList: UnkeyedDecodingContainer {
    let codingPath: [any CodingKey] = []
    let count: Int? = 0
    let isAtEnd = true
    let currentIndex = 0

    func decodeNil() -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try VarlinkSchema.sample(type) }
    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      FieldRecorder().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { EmptyList() }
    func superDecoder() -> any Decoder { FieldRecorder() }
  }

  struct Scalar: SingleValueDecodingContainer {
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { true }
    func decode(_ type: Bool.Type) -> Bool { false }
    func decode(_ type: String.Type) -> String { "" }
    func decode(_ type: Int.Type) -> Int { 0 }
    func decode(_ type: Int32.Type) -> Int32 { 0 }
    func decode(_ type: Int64.Type) -> Int64 { 0 }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: FieldRecorder()) }
  }
}
