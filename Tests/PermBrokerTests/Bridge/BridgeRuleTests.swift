import Foundation
import PermModel
import Testing

@testable import PermBroker

@Suite("The calls that a bridge passes on")
struct BridgeRuleTests {
  private static let machine = String(repeating: "c", count: 32)
  private static let watched: Set = ["Attach", "Pending", "Watch", "Log"]
  private static let answered: Set = ["Answer", "Respond", "Panic"]
  private static let ruled: Set = ["Allow", "Deny", "Decide", "Forget", "Mute", "Unmute", "Undo", "Redo"]

  /// The names of all methods in the interface's description.
  private var methods: [String] {
    let text = VarlinkService.description(of: BrokerError.interface) ?? ""
    return text.split(separator: "\n").compactMap { line in
      line.hasPrefix("method ") ? String(line.dropFirst(7).prefix { $0 != "(" && $0 != " " }) : nil
    }
  }

  /// Parameters that every method accepts, because it ignores those of others.
  private let parameters =
    #"{"id":"1","dashboard":"4.x","alert":"1","response":"dismissed","program":"backup","capability":"photos","#
    + #""rulings":[]}"#

  private func call(_ method: String, _ parameters: String? = nil, more: Bool = false) -> ArraySlice<UInt8> {
    let text =
      #"{"method":"\#(method)","parameters":\#(parameters ?? self.parameters),"more":\#(more)}"#
    return Array(text.utf8)[...]
  }

  @Test("Each method of the broker is passed on or refused by its name", arguments: BridgeRule.allCases)
  func byName(_ rule: BridgeRule) throws {
    let expected =
      switch rule {
      case .watch: Self.watched
      case .answers: Self.watched.union(Self.answered)
      case .rules: Self.watched.union(Self.answered).union(Self.ruled)
      }
    let methods = methods
    #expect(methods.count > 20)
    #expect(expected.isSubset(of: methods))
    let passed = methods.filter {
      (try? rule.passed(call("io.permtui.Broker.\($0)"), to: Self.machine)) != nil
    }
    #expect(Set(passed) == expected)
  }

  @Test(
    "Names that only look like a method of the broker are refused",
    arguments: [
      "Pending", "io.permtui.broker.Pending", "io.permtui.Broker.pending", "io.permtui.Broker.Pending ",
      "io.permtui.Broker.Pending\\u0000", "org.varlink.service.GetInfo", "", "io.permtui.Broker.",
    ])
  func lookalikes(_ name: String) {
    #expect(throws: BrokerError.self) { try BridgeRule.rules.passed(call(name), to: Self.machine) }
  }

  @Test("Without rules, a panic can be begun and not ended, and ends no program")
  func panic() throws {
    for rule in [BridgeRule.answers, .rules] {
      #expect(throws: Never.self) { try rule.passed(call("io.permtui.Broker.Panic", "{}"), to: Self.machine) }
      for parameters in [#"{"lift":true}"#, #"{"end":true}"#, #"{"lift":false,"end":true}"#] {
        let isPassed =
          (try? rule.passed(call("io.permtui.Broker.Panic", parameters), to: Self.machine)) != nil
        #expect(isPassed == (rule == .rules))
      }
    }
  }

  @Test(
    "A part of a message beside the call that was read never reaches the broker",
    arguments: [
      #"{"method":"io.permtui.Broker.Pending","method":"io.permtui.Broker.Allow","parameters":{"program":"x"}}"#,
      #"{"method":"io.permtui.Broker.Allow","method":"io.permtui.Broker.Pending","parameters":{"program":"x"}}"#,
      #"{"parameters":{"limit":1,"program":"x"},"method":"io.permtui.Broker.Pending","upgrade":true}"#,
    ])
  func smuggled(_ text: String) throws {
    guard let passed = try? BridgeRule.answers.passed(Array(text.utf8)[...], to: Self.machine) else { return }
    let sent = String(decoding: passed.bytes.dropLast(), as: UTF8.self)
    #expect(sent.contains("io.permtui.Broker.Pending"))
    #expect(!sent.contains("Allow") && !sent.contains("program") && !sent.contains("upgrade"), "\(sent)")
    #expect(passed.bytes.firstIndex(of: 0) == passed.bytes.count - 1)
  }

  @Test("An answer arrives as it was sent, with the digest as the broker knows it")
  func answer() throws {
    let digest = String(repeating: "ab", count: 32) + "@" + Self.machine
    let text =
      #"{"id":"7","answer":{"verdict":"allow","lifetime":{"kind":"session"}},"digest":"\#(digest)","origin":"dashboard 4.x"}"#
    let passed = try BridgeRule.answers.passed(call("io.permtui.Broker.Answer", text), to: Self.machine)
    typealias Parameters = Methods.Answer.Parameters
    let sent = try WireCoding.decode(CallParameters<Parameters>.self, from: passed.bytes.dropLast())
      .parameters
    var expected = try JSONDecoder().decode(Parameters.self, from: Data(text.utf8))
    expected.digest = String(repeating: "ab", count: 32)
    #expect(sent == expected)
  }

  @Test(
    "An answer to what was read on another machine, or on none, is not passed on",
    arguments: ["Answer", "Respond"],
    ["", "@" + String(repeating: "d", count: 32), "@", "@" + String(repeating: "c", count: 31)])
  func mixedUp(_ method: String, _ machine: String) throws {
    let digest = String(repeating: "ab", count: 32) + machine
    let text =
      #"{"id":"7","alert":"7","dashboard":"4.x","response":"acknowledged","digest":"\#(digest)"}"#
    #expect(throws: BrokerError.self) {
      try BridgeRule.rules.passed(call("io.permtui.Broker.\(method)", text), to: Self.machine)
    }
  }

  @Test("Only calls that go on can have several replies")
  func streams() throws {
    for (method, goesOn) in [("Attach", true), ("Watch", true), ("Pending", false), ("Log", false)] {
      let passed = try BridgeRule.answers.passed(
        call("io.permtui.Broker.\(method)", more: true), to: Self.machine)
      #expect(passed.isStream == goesOn)
      #expect(String(decoding: passed.bytes, as: UTF8.self).contains("more") == goesOn)
    }
  }

  @Test("No alert comes up where nobody can answer it")
  func watching() throws {
    let sent = try BridgeRule.watch.passed(
      call("io.permtui.Broker.Attach", more: true), to: Self.machine
    ).bytes
    #expect(String(decoding: sent, as: UTF8.self).contains(#""picks":true"#))
  }
}
