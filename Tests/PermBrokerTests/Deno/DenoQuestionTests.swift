import Foundation
import PermModel
import Testing

@testable import PermBroker

@Suite("Deno's protocol, line by line")
struct DenoQuestionTests {
  private static let start =
    #"{"v":1,"pid":9700,"id":2,"datetime":"2026-11-21T23:05:25+00:00","permission":"read""#

  private func question(_ text: String) throws -> DenoQuestion { try DenoQuestion(Array(text.utf8)) }

  @Test("A question of Deno 2.9.8 is read; null stands for everything")
  func read() throws {
    let one = try question(Self.start + #","value":"./data\n.txt"}"#)
    #expect(one == DenoQuestion(id: 2, pid: 9700, permission: "read", value: "./data\n.txt"))
    #expect(try question(Self.start + #","value":null,"more":[1]}"#).value == nil)
  }

  @Test(
    "A line that is not a question is refused, and a missing value is not read as everything",
    arguments: [
      "", "x", "[]", "{}", start + "}", start + #","value":7}"#, start + #","value":{}}"#,
      start.replacing("\"v\":1", with: "\"v\":2") + #","value":"a"}"#,
      start.replacing("\"id\":2", with: "\"id\":-2") + #","value":"a"}"#,
      start.replacing("\"id\":2", with: "\"id\":\"2\"") + #","value":"a"}"#,
    ])
  func refused(_ text: String) {
    #expect(throws: DenoRefusal.self) { try question(text) }
  }

  @Test(
    "The form in which Deno writes its questions is read without a decoder",
    arguments: ["\"a é.txt\"", "null"])
  func plain(_ value: String) throws {
    let line = Array((Self.start + ",\"value\":\(value)}").utf8)
    let plain = try #require(DenoQuestion(plain: line))
    #expect(try plain == JSONDecoder().decode(DenoQuestion.self, from: Data(line)))
  }

  @Test(
    "No line is read differently without a decoder than with one",
    arguments: [
      ",\"value\":\"a\\n\"}", ",\"value\":\"a\\u0000b\"}", ",\"value\":\"a\tb\"}",
      ",\"value\":\"a\",\"value\":\"b\"}",
      ",\"value\":\"a\"", ",\"value\":\"a\"}}", ",\"value\":\"a\",}", ",\"value\":\"a}", ",\"value\":nul}",
      ",\"value\":nullx}",
      ", \"value\":\"a\"}", ",\"value\":\"a\",\"v\":1}", ",\"value\":\"a\",\"v\":2}",
      ",\"value\":\"a\",\"id\":3}",
      ",\"value\":\"a\",\"more\":[\"value\"]}", ",\"\\u0076alue\":\"a\"}", ",\"value\":\"\"}",
    ])
  func alike(_ end: String) {
    for start in [
      Self.start, Self.start.replacing("\"id\":2", with: "\"id\":02"),
      Self.start.replacing("\"id\":2", with: "\"id\":2.0"),
      Self.start.replacing("9700", with: "9223372036854775808"),
      Self.start.replacing("9700", with: "18446744073709551616"),
      Self.start.replacing("\"v\":1", with: "\"v\":2"), Self.start.replacing("{", with: ""),
      "\u{feff}" + Self.start,
    ] {
      let line = Array((start + end).utf8)
      let decoded = try? JSONDecoder().decode(DenoQuestion.self, from: Data(line))
      if let plain = DenoQuestion(plain: line) { #expect(plain == decoded, "\(start + end)") }
    }
  }

  @Test("A line that is not UTF-8 is left to the decoder")
  func noText() {
    let line = Array((Self.start + ",\"value\":\"a").utf8) + [0xff] + Array("\"}".utf8)
    #expect(DenoQuestion(plain: line) == nil)
  }

  @Test(
    "The number is found in a line that cannot be read",
    arguments: [
      (#"{"v":1,"pid":9700,"id":17,"per"#, 17), (#"{"id" : 3 x"#, 3), (#"{"id":"#, nil), ("", nil),
      (#"{"id":-1}"#, nil), (#"{"id":99999999999999999999}"#, nil), (#"{"id":7,"value":{"id":8}"#, 7),
    ] as [(String, UInt64?)])
  func number(_ text: String, _ id: UInt64?) {
    #expect(DenoQuestion.id(in: Array(text.utf8)) == id)
  }

  @Test("A reply is one line without control characters, whatever the reason contains")
  func reply() throws {
    #expect(
      String(decoding: DenoReply.allow.line(to: 7), as: UTF8.self) == "{\"id\":7,\"result\":\"allow\"}\n")
    let line = DenoReply.deny("a\u{1b}[2J \"b\"\n\u{202e}\u{0} \\").line(to: 8)
    #expect(line.last == 10 && line.dropLast().allSatisfy { $0 >= 0x20 && $0 < 0x7f })
    let read = try JSONDecoder().decode(DenoClient.Reply.self, from: Data(line))
    #expect(read.reason == #"a\u{1b}[2J "b"\n\u{202e}\u{0} \\"#)
    let long = DenoReply.deny(String(repeating: "x", count: 100_000)).line(to: 1)
    #expect(long.count < 1_000)
  }

  @Test("Only an allow is an allow")
  func ends() {
    for state in Methods.Request.State.allCases {
      let reply = DenoReply(Methods.Request.Reply(id: "x", state: state))
      #expect((reply.verdict == .allow) == (state == .allowed), "\(state)")
    }
    for error in [CancellationError(), BrokerError.disconnected, StoreError.nothingToUndo] as [any Error] {
      #expect(DenoReply(error).verdict == .deny)
    }
  }

  // MARK: Lines

  private func lines(_ pieces: [[UInt8]]) -> ([DenoLine], most: Int) {
    var buffer = DenoLineBuffer()
    var found: [DenoLine] = []
    var most = 0
    for piece in pieces {
      buffer.append(piece)
      while let line = buffer.next() { found.append(line) }
      most = max(most, buffer.kept)
    }
    return (found, most)
  }

  @Test("Lines come out the same, however their bytes arrive", arguments: [1, 3, 4096, 1 << 20])
  func pieces(_ size: Int) {
    let long = Array("{\"id\":5,\"value\":\"".utf8) + [UInt8](repeating: 0x78, count: 200_000)
    let fits = [UInt8](repeating: 0x79, count: DenoLineBuffer.longest)
    let all = Array("one\n\n".utf8) + long + [10] + Array("two\n".utf8) + fits + [10] + Array("open".utf8)
    let chunks = stride(from: 0, to: all.count, by: size).map { Array(all[$0..<min($0 + size, all.count)]) }
    let (found, most) = lines(chunks)
    guard case .tooLong(let beginning) = found[2] else {
      Issue.record("it is not too long")
      return
    }
    #expect(long.starts(with: beginning) && DenoQuestion.id(in: beginning) == 5)
    let whole = found.filter { if case .whole = $0 { true } else { false } }
    #expect(whole == [Array("one".utf8), [], Array("two".utf8), fits].map { .whole($0) })
    #expect(most <= DenoLineBuffer.longest + 512 + size)
  }
}
