import PermModel
import Testing

@testable import PermTUI

@Suite("The place where permtui request may ask")
struct TerminalSnapshotTests {
  private let foreground = TerminalSnapshot(inputGroup: 40, messageGroup: 40, ownGroup: 40)

  @Test("on its terminal, if that is its input and its messages and it is in the foreground")
  func here() {
    #expect(foreground.place == .here)
    #expect(foreground.place.patience == nil)
  }

  @Test("once it is in the foreground, if another group is there now")
  func background() {
    var snapshot = foreground
    snapshot.inputGroup = 41
    snapshot.messageGroup = 41
    #expect(snapshot.place == .inForeground)
    #expect(snapshot.place.patience == .seconds(60))
  }

  @Test(
    "not on its terminal, if anything is redirected, forbidden or from outside",
    arguments: [
      TerminalSnapshot(inputGroup: nil, messageGroup: 40, ownGroup: 40),
      TerminalSnapshot(inputGroup: 40, messageGroup: nil, ownGroup: 40),
      TerminalSnapshot(inputGroup: nil, messageGroup: nil, ownGroup: 40),
      TerminalSnapshot(inputGroup: 40, messageGroup: 41, ownGroup: 40),
      TerminalSnapshot(inputGroup: 40, messageGroup: 40, ownGroup: 40, isForbidden: true),
      TerminalSnapshot(inputGroup: 40, messageGroup: 40, ownGroup: 40, isSandboxed: true),
      // In a terminal from outside of the process's namespace no group has a number, so all of them seem equal.
      TerminalSnapshot(inputGroup: 0, messageGroup: 0, ownGroup: 0),
    ])
  func elsewhere(_ snapshot: TerminalSnapshot) {
    #expect(snapshot.place == .elsewhere)
    #expect(snapshot.place.patience == .seconds(60))
  }

  @Test("is a matter of PERMTUI_TTY, which takes one word")
  func variable() throws {
    #expect(try OwnTerminal.isForbidden(by: "never"))
    #expect(try !OwnTerminal.isForbidden(by: nil))
    #expect(try !OwnTerminal.isForbidden(by: ""))
    #expect(throws: CommandError.self) { try OwnTerminal.isForbidden(by: "no") }
  }
}
