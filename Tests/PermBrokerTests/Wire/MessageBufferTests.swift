import Testing

@testable import PermBroker

@Suite("Cutting bytes into messages")
struct MessageBufferTests {
  private func messages(_ chunks: [[UInt8]], limit: Int = 100) throws -> [String] {
    var buffer = MessageBuffer(limit: limit)
    var found: [String] = []
    for chunk in chunks {
      buffer.append(chunk)
      while let message = try buffer.next() { found.append(String(decoding: message, as: UTF8.self)) }
    }
    return found
  }

  @Test("However the bytes arrive, the messages are the same", arguments: 1...9)
  func chunks(_ size: Int) throws {
    let bytes = Array("one\0two\0\0three\0rest".utf8)
    let chunks = stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0..<min($0 + size, bytes.count)])
    }
    #expect(try messages(chunks) == ["one", "two", "", "three"])
  }

  @Test("A message of exactly the limit passes, one byte more is refused, ended or not")
  func limit() throws {
    let exact = [UInt8](repeating: 97, count: 100)
    #expect(try messages([exact + [0]]).count == 1)
    #expect(throws: WireError.tooLong(limit: 100)) { try messages([exact + [97, 0]]) }
    #expect(throws: WireError.tooLong(limit: 100)) { try messages([exact + [97]]) }
  }

  @Test("Messages that were given out are not kept")
  func memory() throws {
    var buffer = MessageBuffer(limit: 100)
    for _ in 0..<10_000 {
      buffer.append(Array("0123456789\0".utf8))
      let message = try buffer.next()
      #expect(message?.count == 10)
    }
    #expect(buffer.pending == 0)
    #expect(buffer.kept < 1000)
  }
}
