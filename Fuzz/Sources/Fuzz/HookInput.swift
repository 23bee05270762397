@testable import PermBroker
@testable import PermModel

/// A message that a coding agent sends to its hook. The first byte chooses a tool around the rest; zero takes the rest
/// as the whole message.
enum HookInput {
  private static let tools = [
    "Bash", "Write", "Edit", "MultiEdit", "NotebookEdit", "apply_patch", "Read", "LS", "Glob", "Grep",
    "WebFetch",
    "mcp__a__b",
  ]

  static func take(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    let head =
      #"{"hook_event_name":"PermissionRequest","tool_name":"\#(tools[Int(first) % tools.count])","tool_input":"#
    let document = first == 0 ? rest : Array(head.utf8) + rest + [UInt8(ascii: "}")]
    guard let message = try? HookMessage(document) else { return }
    precondition(message.mark.utf8.count == 64, "a mark has another length")
    guard let question = try? AgentQuestion(message) else { return }
    check(question)
  }

  /// Checks that the broker takes the question as it is, and that a person can read all of it.
  private static func check(_ question: AgentQuestion) {
    let parameters = question.parameters(id: "0123456789abcdef", wait: .seconds(1))
    guard
      let asked = try? CapabilityCatalogue.builtIn.asked(
        parameters.capability, parts: parameters.parts, values: parameters.values)
    else {
      return precondition(question.texts.contains { $0.utf8.count > 512 }, "a question that cannot be asked")
    }
    precondition(asked.others.allSatisfy { $0.scope.isValue }, "more is asked than the tool uses")
    precondition((question.details?.text.utf8.count ?? 0) <= ShownDetails.longest, "the details are too long")
    precondition(!question.texts.contains(""), "a value that cannot be shown")
  }
}
