import PermModel
import Testing

@testable import PermBroker

@Suite("Varlink messages")
struct WireCodingTests {
  private struct Sample: Codable, Hashable {
    var id: String
    var wait: Int?
  }

  private func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

  @Test("Why a request was withdrawn is told to the program", arguments: [nil, "answered in the agent"])
  func withdrawn(reason: String?) throws {
    let reply = Methods.Request.Reply(id: Request.ID("1"), .withdrawn(reason: reason))
    #expect(
      try reply.end(of: "deploy", asking: [], at: Timestamp(seconds: 0)) == .withdrawn(reason: reason))
  }

  @Test("A call is read as the specification writes it")
  func call() throws {
    let message = bytes(
      #"{"method":"org.example.Thing.Do","parameters":{"id":"x"},"more":true,"unknown":[1,{}]}"#)
    let header = try WireCoding.decode(CallHeader.self, from: message)
    #expect(header.method == "org.example.Thing.Do")
    #expect(header.interface == "org.example.Thing")
    #expect(header.more == true)
    #expect(try WireCoding.decode(CallParameters<Sample>.self, from: message).parameters == Sample(id: "x"))
  }

  @Test("Parameters may be left out where none are needed, and are missed by name where they are")
  func noParameters() throws {
    let message = bytes(#"{"method":"a.B"}"#)
    #expect(
      try WireCoding.decode(CallParameters<NoFields>.self, from: message).parameters == NoFields())
    #expect(throws: WireError.malformed("id is missing")) {
      try WireCoding.decode(CallParameters<Sample>.self, from: message)
    }
  }

  @Test(
    "The error for text that is no call says what is wrong",
    arguments: [
      ("", "it is not JSON"), ("{", "it is not JSON"), ("[]", "the message has the wrong type"),
      ("{}", "method is missing"),
      (#"{"method":7}"#, "method has the wrong type"), (#"{"method":null}"#, "method has the wrong type"),
      ("\u{feff}\u{fffd}", "it is not JSON"),
    ])
  func malformed(_ text: String, _ reason: String) {
    #expect(throws: WireError.malformed(reason)) { try WireCoding.decode(CallHeader.self, from: bytes(text)) }
  }

  @Test("Deep nesting is refused, not fatal")
  func nesting() {
    let deep = String(repeating: "[", count: 8000)
    #expect(throws: WireError.self) {
      try WireCoding.decode(CallHeader.self, from: bytes(#"{"method":"a.B","parameters":"# + deep))
    }
  }

  @Test("A message holds one NUL, at its end, whatever the texts hold")
  func nul() throws {
    let encoded = try WireCoding.encode(ReplyMessage(parameters: Sample(id: "a\0b/ü")))
    #expect(encoded.filter { $0 == 0 }.count == 1)
    #expect(encoded.last == 0)
    let reply = try WireCoding.decode(ReplyMessage<Sample>.self, from: encoded.dropLast())
    #expect(reply.parameters == Sample(id: "a\0b/ü"))
  }
}
