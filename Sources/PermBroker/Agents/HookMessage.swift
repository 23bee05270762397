import PermModel

/// A message that a coding agent sends to a hook. The fields are those of Claude Code 2.1 and Codex 0.163.
package struct HookMessage: Hashable, Sendable {
  package enum Agent: String, Sendable {
    case claude, codex

    /// Whether a program asks as this agent, which does not say in which folder it uses a capability.
    func hidesFolder(of capability: String, _ subject: Subject) -> Bool {
      self == .codex && subject.label == rawValue && capability == "commands"
    }
  }

  package enum Event: Hashable, Sendable {
    /// The agent asks whether a tool may be used.
    case permissionRequest
    /// A tool was used, so its request has been answered.
    case toolEnded
    /// The agent's turn or session ended, or the next one began, so all of the session's requests have been answered.
    case turnEnded
    /// An event that has no effect on requests.
    case other
  }

  package let agent: Agent
  package let event: Event
  /// Whether the tool that was used has failed.
  package let hasFailed: Bool
  /// The name of the agent's session; `nil` if it has none that can be used.
  package let session: String?
  /// The absolute path of the folder in which the agent works; `nil` if the agent does not say.
  package let folder: String?
  /// The kind of subagent that asks; `nil` if the agent itself does.
  let subagent: String?
  let tool: String
  let input: AgentValue

  /// The greatest size of a message, in bytes. It contains the whole content of a file that the agent writes.
  package static let longest = 16 << 20

  /// - Throws: ``UnaskedReason`` if the bytes are not such a message.
  package init(_ document: [UInt8]) throws(UnaskedReason) {
    guard document.count <= Self.longest else { throw .tooLong }
    guard let value = AgentValue(document), let event = value["hook_event_name"]?.text else {
      throw .unreadable
    }
    self.event = Event(event)
    hasFailed = event == "PostToolUseFailure"
    agent = value["turn_id"] == nil ? .claude : .codex
    session = value["session_id"]?.text.flatMap { (1...128).contains($0.utf8.count) ? $0 : nil }
    folder = value["cwd"]?.text.flatMap { $0.hasPrefix("/") && !$0.utf8.contains(0) ? $0 : nil }
    subagent = value["agent_type"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    tool = value["tool_name"]?.text ?? ""
    input = value["tool_input"] ?? .null
  }

  /// A digest of the tool and its input, by which the end of a tool is matched with its request.
  package var mark: String {
    let digits = SHA256.digest(of: Array("\(tool)\n\(input)".utf8)).map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }
    return digits.joined()
  }
}

extension HookMessage.Event {
  fileprivate init(_ name: String) {
    switch name {
    case "PermissionRequest": self = .permissionRequest
    case "PostToolUse", "PostToolUseFailure": self = .toolEnded
    case "Stop", "UserPromptSubmit", "SessionEnd": self = .turnEnded
    default: self = .other
    }
  }
}
