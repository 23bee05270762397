import PermBroker
import Testing

@testable import PermTUI

@Suite("The answer to an agent's hook")
struct HookReplyTests {
  private func denied(_ message: String) -> String {
    let decision = #"{"behavior":"deny","message":"\#(message)"}"#
    return #"{"hookSpecificOutput":{"decision":\#(decision),"hookEventName":"PermissionRequest"}}"#
  }

  @Test("An allow has no other field")
  func allowed() {
    #expect(
      HookReply(.allowed).text
        == #"{"hookSpecificOutput":{"decision":{"behavior":"allow"},"hookEventName":"PermissionRequest"}}"#)
  }

  @Test("A denial has the person's note, without anything that a terminal would not show")
  func note() {
    let quoted = HookReply(.denied("use \"the\" test\\db"))
    #expect(quoted.text == denied(#"Denied in PermTUI: use \"the\" test\\db"#))
    #expect(HookReply(.denied("a\u{1b}[2J\nb\u{202e}\u{0}")).text == denied("Denied in PermTUI: a [2J b  "))
    for nothing in [nil, ""] {
      #expect(HookReply(.denied(nothing)).text == denied("The person denied this in PermTUI."))
    }
  }

  @Test("A denial without a question says so, with its reason")
  func rule() {
    let bare = "Denied by a rule in PermTUI; the person was not asked."
    for nothing in [nil, ""] { #expect(HookReply(.deniedByRule(nothing)).text == denied(bare)) }
    #expect(
      HookReply(.deniedByRule("no secrets")).text == denied("Denied by a rule in PermTUI: no secrets"))
  }

  @Test("A long note is cut")
  func long() {
    #expect(HookReply(.denied(String(repeating: "x", count: 100_000))).text.utf8.count < 1_200)
  }
}
