import PermModel
import Testing

@testable import PermTUI

@Suite("The location of the permissions")
struct StoreLocationTests {
  private func path(option: String?, environment: [String: String]) throws -> String {
    var context = CommandContext.process(storeOption: option)
    context.environment = environment
    return try context.storePath()
  }

  @Test(
    "An option comes before the environment, and that before the XDG folders",
    arguments: [
      ("/o/s.sqlite", ["PERMTUI_STORE": "/e/s.sqlite", "HOME": "/home/ana"], "/o/s.sqlite"),
      (nil, ["PERMTUI_STORE": "/e/s.sqlite", "XDG_STATE_HOME": "/x"], "/e/s.sqlite"),
      (
        nil, ["PERMTUI_STORE": "", "XDG_STATE_HOME": "/x", "HOME": "/home/ana"],
        "/x/permtui/permissions.sqlite"
      ),
      (nil, ["HOME": "/home/ana"], "/home/ana/.local/state/permtui/permissions.sqlite"),
      (nil, ["HOME": "/home/ana//"], "/home/ana/.local/state/permtui/permissions.sqlite"),
      (
        nil, ["XDG_STATE_HOME": "relative", "HOME": "/home/ana"],
        "/home/ana/.local/state/permtui/permissions.sqlite"
      ),
    ] as [(String?, [String: String], String)])
  func order(option: String?, environment: [String: String], expected: String) throws {
    #expect(try path(option: option, environment: environment) == expected)
  }

  @Test("A relative path counts from the current folder")
  func relative() throws {
    let path = try path(option: "here.sqlite", environment: [:])
    #expect(path.hasPrefix("/"))
    #expect(path.hasSuffix("/here.sqlite"))
  }

  @Test("Without a home there is a message that says what to set")
  func homeless() {
    let error = #expect(throws: CommandError.self) { try path(option: nil, environment: [:]) }
    #expect(error?.description.contains("--store") == true)
    #expect(error?.status == .failed)
  }
}
