import PermModel
import Testing

@Suite("Names of machines and operators")
struct RemoteNameTests {
  @Test("A name has the characters that look like nothing else", arguments: ["web1", "a", "db.prod-2_b"])
  func good(_ text: String) throws {
    #expect(try RemoteName(text).text == text)
  }

  @Test(
    "Other names are refused",
    arguments: [
      "", "1web", "-web", ".", "Web", "web 1", "wéb", "web\u{202e}", "web\n",
      String(repeating: "a", count: 33),
    ])
  func spelling(_ text: String) {
    #expect(throws: RemoteName.Refused.spelling) { try RemoteName(text) }
  }

  @Test(
    "A name that reads like this machine or like everybody is refused, however it is spelt",
    arguments: [
      "this", "this-machine", "all", "a11", "a.l.l", "everyone", "every0ne", "team", "localhost", "me",
    ])
  func reserved(_ text: String) {
    #expect(throws: RemoteName.Refused.reserved) { try RemoteName(text) }
  }

  @Test("Names that the eye confuses are folded alike")
  func folded() throws {
    func folded(_ text: String) throws -> String { try RemoteName(text).folded }
    #expect(try folded("web1") == folded("webl"))
    #expect(try folded("web-01") == folded("webo1"))
    #expect(try folded("modern") == folded("modem"))
    #expect(try folded("web1") != folded("web2"))
  }
}

@Suite("Operators as origins")
struct OperatorOriginTests {
  @Test("An operator's origin is stored so that earlier versions read a dashboard")
  func stored() {
    let origin = Origin.operator(name: "ana", dashboard: "4711.5f0c")
    #expect(origin.description == "dashboard 4711.5f0c as ana")
    #expect(Origin(origin.description) == origin)
    #expect(Origin("dashboard 4711.5f0c") == .dashboard(id: "4711.5f0c"))
    #expect(Origin("dashboard 4711.5f0c like ana") == .dashboard(id: "4711.5f0c like ana"))
  }

  @Test("An operator's actions are named after the operator, at a dashboard and without one")
  func named() {
    let dashboard = Origin.dashboard(id: "1.x").of(operator: "ana", process: 7)
    #expect(dashboard == .operator(name: "ana", dashboard: "1.x"))
    #expect(
      Origin.commandLine.of(operator: "ana", process: 7) == .operator(name: "ana", dashboard: "7.bridge"))
    #expect(dashboard.phrase == "by the operator ana")
    #expect(dashboard.noun == "operator ana")
    #expect(dashboard.operatorName == "ana")
    #expect(Origin.commandLine.operatorName == nil)
  }
}
