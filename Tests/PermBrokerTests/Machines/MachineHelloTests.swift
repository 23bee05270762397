import PermModel
import Testing

@testable import PermBroker

@Suite("The first answer of another machine")
struct MachineHelloTests {
  private static let id = "0123456789abcdef0123456789abcdef"
  /// The span in which the answer is made: from 100 s to 102 s.
  private static let span = MachineHello.Span(
    sent: Timestamp(seconds: 100), received: Timestamp(seconds: 102))

  private static func answer(
    machine: String = id, host: String = "web", version: String = "0.3.7", name: String = "\"ana\"",
    passes: String = "answers", now: String = "101000000"
  ) -> String {
    #"{"parameters":{"machine":"\#(machine)","host":"\#(host)","version":"\#(version)","operator":\#(name),"#
      + #""passes":"\#(passes)","now":\#(now)}}"# + "\0"
  }

  private func read(_ text: String) throws -> MachineHello? {
    try MachineHello.read(Array(text.utf8), in: Self.span, version: "0.3.0-dev")
  }

  @Test("An answer that fits is read, and an unknown field of it is ignored")
  func fits() throws {
    let hello = try #require(try read(Self.answer()))
    #expect(hello.id == Self.id && hello.host == "web" && hello.version == "0.3.7")
    #expect(hello.operatorName?.text == "ana" && hello.passes == .answers && hello.skew == .zero)
    #expect(try read(Self.answer(name: "null"))?.operatorName == nil)
    #expect(try read(Self.answer(now: #"101000000,"more":[1]"#)) == hello)
  }

  @Test("An answer that has not arrived completely is waited for")
  func partial() throws {
    let whole = Self.answer()
    for count in [0, 1, whole.utf8.count / 2, whole.utf8.count - 1] {
      #expect(try read(String(whole.prefix(count))) == nil)
    }
    #expect(try read(String(repeating: "x", count: 65_535)) == nil)
  }

  @Test(
    "A machine that answers nonsense is refused, and says nothing that a terminal obeys",
    arguments: [
      answer(machine: ""), answer(machine: "00"), answer(machine: id.uppercased()), answer(machine: id + "0"),
      answer(machine: "0123456789abcdef0123456789abcde\\u001b"), answer(machine: "\\u001b[2J"),
      answer(passes: "all"), answer(passes: ""), answer(name: "\"All\""), answer(name: "\"everyone\""),
      answer(name: "7"),
      answer(now: "\"soon\""), answer(now: "99999999999999999999"), answer(now: "1e400"),
      answer(version: ""), answer(version: "three"), answer(version: "0"), answer(version: "0.3.\\u001b[2J"),
      answer(version: "0.3.0; trusted"),
      answer(version: "\\u001b]0;x\\u0007"),
      answer(version: String(repeating: "0.3.", count: 50)),
      answer(host: String(repeating: "h", count: 254)),
      answer() + answer(), answer() + "x", "\0", "{}\0", "[]\0", "Welcome to web1!\n" + answer(),
      #"{"error":"org.varlink.service.MethodNotFound"}"# + "\0",
      #"{"error":"\u001b[31m","parameters":{}}"# + "\0",
      String(repeating: "[", count: 60_000) + "\0", String(repeating: "x", count: 65_536),
      String(repeating: "x", count: 200_000), String(repeating: " ", count: 65_536) + "\0",
    ])
  func nonsense(_ text: String) throws {
    let fault = #expect(throws: MachineFault.self) { try read(text) }
    #expect(fault?.word == "nonsense", "\(fault as Any)")
    #expect(
      fault.map { $0.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7f } } == true)
  }

  @Test(
    "A machine of another minor version is told apart, even if its answer looks different",
    arguments: [
      answer(version: "0.4.0"), answer(version: "1.3.0"), answer(version: "0.2.9"),
      #"{"parameters":{"version":"0.9.0","id":7}}"# + "\0",
    ])
  func otherVersion(_ text: String) throws {
    let fault = #expect(throws: MachineFault.self) { try read(text) }
    #expect(fault?.word == "other-version", "\(fault as Any)")
  }

  @Test("The name by which a machine calls itself is shown with all of its characters escaped")
  func host() throws {
    let hello = try #require(try read(Self.answer(host: "we\\u001b[2Jb\\u202e\\n")))
    #expect(hello.host == #"we\u{1b}[2Jb\u{202e}\n"#)
  }

  @Test("The time that an answer takes is given to the machine's clock; more than 5 s is mentioned")
  func skew() throws {
    func skew(_ now: String) throws -> MachineHello { try #require(try read(Self.answer(now: now))) }
    #expect(try skew("100000000").skew == .zero)
    #expect(try skew("107000000").skewInWords == nil)
    #expect(try skew("109000000").skewInWords == "its clock is 7 s fast")
    #expect(try skew("90000000").skewInWords == "its clock is 10 s slow")
    #expect(try skew("0").skewInWords == "its clock is 100 s slow")
  }

  @Test(
    "A clock that is a day off is a fault, however far it is off",
    arguments: [
      "9223372036854775807", "-9223372036854775808", "9214646400000000", "-90000000000", "86503000000",
    ])
  func clock(_ now: String) throws {
    let fault = #expect(throws: MachineFault.self) { try read(Self.answer(now: now)) }
    #expect(fault?.word == "clock", "\(fault as Any)")
  }
}
