import PermModel
import Testing

@testable import PermRun

@Suite("Messages about names")
struct NameMessageTests {
  private let address = Address(0xc612_0002)

  private func labels(_ name: String) -> [UInt8] {
    name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }

  private func message(
    _ name: [UInt8], kind: UInt16 = 1, network: UInt16 = 1, count: UInt16 = 1, flags: [UInt8] = [1, 0],
    after: [UInt8] = []
  ) -> [UInt8] {
    let counts = [UInt8(count >> 8), UInt8(count & 0xff), 0, 0, 0, 0, 0, after.isEmpty ? 0 : 1]
    let end = [UInt8(kind >> 8), UInt8(kind & 0xff), UInt8(network >> 8), UInt8(network & 0xff)]
    return [0xab, 0xcd] + flags + counts + name + end + after
  }

  private func answer(_ bytes: [UInt8]) -> [UInt8]? { NameMessage(bytes)?.answer { _ in address } }
  private func code(_ bytes: [UInt8]) -> UInt8? { answer(bytes).map { $0[3] & 15 } }

  @Test("A name gets the address that stands for it")
  func address4() throws {
    let question = message(labels("api.example.com"))
    let host = try Host("api.example.com")
    var asked: [Host] = []
    let answer = try #require(
      NameMessage(question)?.answer {
        asked.append($0)
        return address
      })
    #expect(asked == [host])
    #expect(answer[..<4] == [0xab, 0xcd, 0x81, 0x80])
    #expect(answer[4..<12] == [0, 1, 0, 1, 0, 0, 0, 0])
    #expect(answer[12..<question.count] == question[12...])
    #expect(answer.suffix(4) == [198, 18, 0, 2])
  }

  @Test("The question comes back with its own letters, and is looked up in small ones")
  func letters() throws {
    let expected = try Host("example.com")
    let question = message(labels("eXample.COM"))
    var asked: Host?
    let answer = NameMessage(question)?.answer { host in
      asked = host
      return address
    }
    #expect(asked == expected)
    #expect(answer?[12..<question.count] == question[12...])
  }

  @Test("There are no addresses of version 6, and no records of other kinds")
  func otherKinds() {
    let name = labels("example.com")
    #expect(answer(message(name, kind: 28)).map { Array($0[2..<8]) } == [0x81, 0x80, 0, 1, 0, 0])
    for kind: UInt16 in [2, 5, 6, 12, 15, 16, 33, 65, 255, 0, 65535] {
      #expect(code(message(name, kind: kind)) == 4)
    }
    for network: UInt16 in [0, 3, 254, 255] { #expect(code(message(name, network: network)) == 4) }
  }

  @Test("Other operations are not implemented, and an answer is no question", arguments: UInt8(0)..<16)
  func operations(number: UInt8) {
    let question = message(labels("example.com"), flags: [number << 3, 0])
    #expect(code(question) == (number == 0 ? 0 : 4))
    #expect(answer(message(labels("example.com"), flags: [0x80 | number << 3, 0])) == nil)
  }

  @Test("Anything but one question is malformed", arguments: [0, 2, 256, 65535] as [UInt16])
  func counts(count: UInt16) { #expect(code(message(labels("example.com"), count: count)) == 1) }

  @Test("Names with loops, without an end and with too much in them are malformed")
  func malformed() {
    #expect(code(message([0xc0, 0x0c])) == 1)
    #expect(code(message([3, 0x61, 0x62, 0x63, 0xc0, 0x0c])) == 1)
    #expect(code(message([0x40, 0x61])) == 1)
    #expect(code(message([0x80])) == 1)
    #expect(code(message(Array(repeating: [1, 0x61], count: 200).flatMap(\.self) + [0])) == 1)
    #expect(code(message([5, 0x61, 0])) == 1)
    #expect(code([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]) == 1)
    #expect(code(message(labels("example.com"), after: Array(repeating: 0, count: 65_000))) == 1)
  }

  @Test("A name that no host can have is unknown")
  func strangeNames() {
    for name: [UInt8] in [
      [0], [1, 0, 0], [2, 0xc3, 0xa4, 0], [3, 0x61, 0x2e, 0x62, 0], [3, 0x61, 0x20, 0x62, 0], [1, 0x2a, 0],
      labels("1.2.3.4"), labels("-x.de"), labels("0x7f000001"), [4, 0x3a, 0x3a, 0x31, 0x3a, 0], labels("a%b"),
      [3, 0x5b, 0x61, 0x5d, 0],
    ] { #expect(code(message(name)) == 3, "\(name)") }
    #expect(code(message(labels("_srv.example.com"))) == 0)
  }

  @Test("A packet shorter than a message is dropped", arguments: 0..<12)
  func short(length: Int) { #expect(answer(Array(repeating: 0, count: length)) == nil) }

  @Test("If no address is left, the answer is a failure")
  func failure() { #expect(NameMessage(message(labels("a.b")))?.answer { _ in nil }[3] == 0x82) }

  @Test("Bytes behind the question do not matter")
  func extra() { #expect(code(message(labels("a.b"), after: [0, 0, 41, 4, 0, 0, 0, 0, 0, 0, 0])) == 0) }

  @Test(
    "Messages that are broken somewhere are answered or dropped, and answers are no longer than they must be")
  func fuzz() {
    var random = SystemRandomNumberGenerator()
    let whole = message(
      labels("a-long-name.in.some.example.com"), after: [0, 0, 41, 4, 0, 0, 0, 0, 0, 0, 0])
    var wrong: [[UInt8]] = []
    for _ in 0..<20_000 {
      var bytes = Array(whole.prefix(Int.random(in: 0...whole.count, using: &random)))
      for _ in 0..<Int.random(in: 0..<6, using: &random) where !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let answer = answer(bytes) else { continue }
      let isAnswer = answer.count >= 12 && answer[..<2] == bytes[..<2] && answer[2] & 0x80 != 0
      if !isAnswer || answer.count > bytes.count + 16 { wrong.append(bytes) }
    }
    #expect(wrong == [])
  }
}
