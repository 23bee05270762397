import Machine
import PermBroker

/// The answer to one message that a coding agent sends to its hook.
///
/// The agent and its project are not trusted. A message that cannot be understood, or that nobody can
/// answer, leaves the question to the agent: nothing is printed, and the agent shows its own dialog.
struct Hook {
  let client: AgentClient

  /// The time after which the agent's own dialog asks. Codex shows it only once the hook has ended, and ends the hook
  /// after the 120 seconds of its settings; Claude Code shows it at once, and ends the hook after a day.
  private static func patience(of agent: HookMessage.Agent) -> Duration {
    switch agent {
    case .claude: .seconds(86_340)
    case .codex: .seconds(110)
    }
  }

  /// Returns the text for the agent; `nil` to leave the question to it.
  func reply(to document: [UInt8]) -> String? {
    var label: String?
    do throws(UnaskedReason) {
      let message = try HookMessage(document)
      label = message.agent.rawValue
      switch message.event {
      case .permissionRequest: return try answer(message).map { HookReply($0).text }
      case .toolEnded, .turnEnded: client.withdraw(message)
      case .other: break
      }
    } catch {
      client.note(error, label: label)
    }
    return nil
  }

  private func answer(_ message: HookMessage) throws(UnaskedReason) -> AgentClient.Answer? {
    guard let question = try AgentQuestion(message) else { return nil }
    // The broker resolves relative paths in the working folder of this process, and compares it with the agent's.
    if let folder = question.folder, !Folder.enter(folder) { throw .unclear }
    return client.answer(to: question, within: Self.patience(of: message.agent))
  }
}
