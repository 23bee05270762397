import PermBroker
import PermModel

/// The document with which a hook answers an agent. It has only fields that both Claude Code 2.1 and Codex 0.163 take,
/// because Codex ignores an answer with other fields.
struct HookReply {
  let text: String

  init(_ answer: AgentClient.Answer) {
    let decision: JSON =
      switch answer {
      case .allowed: ["behavior": "allow"]
      case .denied(let note): ["behavior": "deny", "message": .text(Self.message(note, isAsked: true))]
      case .deniedByRule(let reason):
        ["behavior": "deny", "message": .text(Self.message(reason, isAsked: false))]
      }
    let output: JSON = ["hookEventName": "PermissionRequest", "decision": decision]
    text = (["hookSpecificOutput": output] as JSON).description
  }

  /// The greatest length of a note for the model, in Unicode scalars.
  private static let longest = 1_000

  /// Returns the message for the model. The agent prints it on the person's terminal, so all of it is visible.
  ///
  /// - Parameter isAsked: Whether the person was asked, and did not decide it before.
  private static func message(_ note: String?, isAsked: Bool) -> String {
    let who =
      isAsked
      ? "The person denied this in PermTUI." : "Denied by a rule in PermTUI; the person was not asked."
    guard let note, !note.isEmpty else { return who }
    let scalars = note.unicodeScalars.map { VisibleText.isPlain($0) || $0 == "\\" ? $0 : " " }
    return
      "Denied \(isAsked ? "" : "by a rule ")in PermTUI: \(String(String.UnicodeScalarView(scalars.prefix(longest))))"
  }
}
