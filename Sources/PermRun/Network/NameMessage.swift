import PermModel

/// A message with which a program asks for the addresses of a name, and the answers to it. Programs inside are hostile, so
/// each byte is looked at.
struct NameMessage {
  /// The name, the kind and the class of what is asked for.
  struct Question: Equatable {
    /// `nil` if the name cannot be that of a host.
    var host: Host?
    var kind: UInt16
    var network: UInt16
  }

  enum Code: UInt8 {
    case success = 0, malformed = 1, failure = 2, unknownName = 3, notImplemented = 4
  }

  private let bytes: [UInt8]
  /// The bytes of the question, as they came.
  private let asked: ArraySlice<UInt8>
  /// `nil` if the message cannot be read.
  let question: Question?

  static let head = 12
  /// The length of the longest message that is looked at.
  static let longest = 4096

  /// - Returns: `nil` if the message is not even a question, so that no answer is owed.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.head, bytes[2] & 0x80 == 0 else { return nil }
    self.bytes = bytes
    let isOne = bytes[4] == 0 && bytes[5] == 1 && bytes.count <= Self.longest
    let found = isOne ? Self.question(in: bytes) : nil
    question = found?.question
    asked = bytes[Self.head..<(found?.end ?? Self.head)]
  }

  private var operation: UInt8 { bytes[2] >> 3 & 15 }

  /// Reads the question. A name that is compressed, too long or unfinished is none.
  private static func question(in bytes: [UInt8]) -> (question: Question, end: Int)? {
    var labels: [ArraySlice<UInt8>] = []
    var place = head
    while place < bytes.count, bytes[place] != 0 {
      let length = Int(bytes[place])
      guard length < 64, place + 1 + length < bytes.count, place - head + length < 254 else { return nil }
      labels.append(bytes[(place + 1)...(place + length)])
      place += 1 + length
    }
    guard place + 4 < bytes.count else { return nil }
    let numbers = bytes[(place + 1)...(place + 4)].map { UInt16($0) }
    let question = Question(
      host: host(labels), kind: numbers[0] << 8 | numbers[1], network: numbers[2] << 8 | numbers[3])
    return (question, place + 5)
  }

  private static func host(_ labels: [ArraySlice<UInt8>]) -> Host? {
    let isPlain = labels.allSatisfy { $0.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x2e && $0 != 0x3a } }
    guard isPlain, !labels.isEmpty else { return nil }
    let host = try? Host(labels.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "."))
    return host?.isAddress == false ? host : nil
  }

  // MARK: Answers

  /// Returns the answer.
  ///
  /// - Parameter address: The address that stands for a name; `nil` if there is none.
  func answer(_ address: (Host) -> Address?) -> [UInt8] {
    guard operation == 0 else { return answer(.notImplemented) }
    guard let question else { return answer(.malformed) }
    guard question.network == 1, [1, 28].contains(question.kind) else { return answer(.notImplemented) }
    guard let host = question.host else { return answer(.unknownName) }
    if question.kind == 28 { return answer(.success) }
    return address(host).map { answer(.success, $0.bytes) } ?? answer(.failure)
  }

  private func answer(_ code: Code, _ address: [UInt8] = []) -> [UInt8] {
    let counts: [UInt8] = [0, asked.isEmpty ? 0 : 1, 0, address.isEmpty ? 0 : 1, 0, 0, 0, 0]
    // It is an answer; recursion is available if it was wanted.
    let flags = [0x80 | bytes[2] & 0x79, 0x80 | code.rawValue]
    // The name of the question, an address of the internet, valid for a minute, four bytes.
    let record: [UInt8] =
      address.isEmpty ? [] : [0xc0, UInt8(Self.head), 0, 1, 0, 1, 0, 0, 0, 60, 0, 4] + address
    return Array(bytes[..<2]) + flags + counts + Array(asked) + record
  }
}
