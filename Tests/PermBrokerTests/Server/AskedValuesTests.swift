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

  @Test("The limit of values holds in every form")
  func limit() throws {
    func names(_ count: Int) -> String { (0..<count).map { "read@N\($0)" }.joined(separator: ",") }
    #expect(try catalogue.asked("environment:\(names(32))", parts: nil, values: nil).others.count == 32)
    #expect(throws: BrokerError.self) {
      try catalogue.asked("environment:\(names(33))", parts: nil, values: nil)
    }
    let longest = String(repeating: "/a", count: 2048)
    #expect(try catalogue.asked("files:read@\(longest)", parts: nil, values: nil).paths.count == 1)
    let values = try ["/b", longest].map {
      Wire.Value(part: "read", scope: ScopeFields(try Scope($0, kind: .path)))
    }
    #expect(throws: BrokerError.self) { try catalogue.asked("files", parts: nil, values: values) }
  }
}
