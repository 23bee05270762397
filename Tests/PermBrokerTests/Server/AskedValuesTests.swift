import PermModel
import Testing

@testable import PermBroker

@Suite("The values of a call")
struct AskedValuesTests {
  private let catalogue = CapabilityCatalogue.builtIn

  @Test("Parts count without values, too")
  func parts() throws {
    let asked = try catalogue.asked("calendar", parts: ["reminders"], values: nil)
    #expect(asked.others == [Atom("calendar", "reminders")])
    #expect(throws: BrokerError.self) { try catalogue.asked("calendar", parts: ["nothing"], values: nil) }
    #expect(throws: BrokerError.self) { try catalogue.asked("calendar", parts: [], values: []) }
  }

  @Test(
    "The broker reads the same values that a client asks for, also a whole part that could have values",
    arguments: [
      "calendar:reminders", "health:read=heart", "passbook", "cloud:read", "files:read@*",
      "environment:read@HOME",
    ])
  func sent(_ text: String) throws {
    let reference = try catalogue.reference(text)
    let request = Request(
      id: .init("r"), subject: Subject(label: "backup"), capability: reference.capability,
      atoms: reference.atoms,
      askedAt: .init(microseconds: 0))
    let sent = Methods.Request.Parameters(request, at: request.askedAt)
    let asked = try catalogue.asked(sent.capability, parts: sent.parts, values: sent.values)
    #expect(asked == AskedValues(reference))
  }

  @Test("The number of values, and of the parts of their paths, is limited")
  func limit() throws {
    func names(_ count: Int) -> [Wire.Value] {
      (0..<count).map { Wire.Value(part: "read", scope: ScopeFields(.name("N\($0)"))) }
    }
    #expect(try catalogue.asked("environment", parts: nil, values: names(32)).others.count == 32)
    #expect(throws: BrokerError.self) { try catalogue.asked("environment", parts: nil, values: names(33)) }
    let longest = String(repeating: "/a", count: 2048)
    let path = Wire.Value(part: "read", scope: ScopeFields(try Scope(longest, kind: .path)))
    #expect(try catalogue.asked("files", parts: nil, values: [path]).paths.count == 1)
    let values = try ["/b", longest].map {
      Wire.Value(part: "read", scope: ScopeFields(try Scope($0, kind: .path)))
    }
    #expect(throws: BrokerError.self) { try catalogue.asked("files", parts: nil, values: values) }
  }
}
