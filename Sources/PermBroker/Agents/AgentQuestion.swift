package import PermModel

/// A question that an agent asks about the use of one of its tools, in the words of the broker's interface.
package struct AgentQuestion: Hashable, Sendable {
  package var label: String
  package var capability: String
  var values: [Wire.Value]
  package var reason: String?
  package var details: ShownDetails?
  var group: String?
  var mark: String
  /// Whether no kept decision can allow it, and an allow is for this one time.
  var isOnceOnly: Bool
  /// Whether it is not known in which folder the agent runs a line, or to which one a relative path belongs.
  var isFolderUnknown: Bool
  /// The folder in which the values are to be looked up; `nil` if the agent does not say.
  package var folder: String?
  /// The agent's tool, if it is asked about as something else. What is denied about the tool holds, too.
  var tool: String?

  /// Creates the question of a message; `nil` if the agent's own dialog asks for more than a yes.
  ///
  /// - Throws: ``UnaskedReason`` if the question cannot be asked exactly as the agent means it.
  package init?(_ message: HookMessage) throws(UnaskedReason) {
    guard !Self.dialogs.contains(message.tool) else { return nil }
    guard !message.input.hasNUL else { throw .unclear }
    let use = try ToolUse(message.tool, message.input, of: message.agent)
    (capability, values) = (use.capability, use.values)
    (label, group, mark) = (message.agent.rawValue, message.session, message.mark)
    (isOnceOnly, isFolderUnknown) = (use.isOnceOnly, use.isFolderUnknown)
    (folder, tool) = (use.folder ?? message.folder, use.tool)
    guard folder != nil || use.capability == "commands" || !isFolderUnknown else { throw .unclear }
    reason = use.reason
    let subagent = message.subagent.map { ["\"agent_type\": \($0.jsonQuoted)"] } ?? []
    let lines = subagent + use.details
    if !lines.isEmpty { details = ShownDetails(shortening: lines.joined(separator: "\n")) }
    try check()
  }

  /// Tools whose use the person answers with more than a yes or a no.
  private static let dialogs = ["AskUserQuestion", "ExitPlanMode", "request_permissions"]

  /// The values in their text form. Paths are as the agent spelled them.
  package var texts: [String] { values.map(\.text) }

  private func check() throws(UnaskedReason) {
    guard values.count <= CapabilityReference.mostValues else { throw .tooLong }
    if let details, (try? ForeignText.check(details: details.text)) == nil { throw .unclear }
  }

  /// Returns the parameters with which the broker is asked.
  ///
  /// - Parameter wait: The time that the agent waits.
  func parameters(id: String, wait: Duration) -> Methods.Request.Parameters {
    Methods.Request.Parameters(
      id: id, capability: capability, values: values, label: label, reason: reason,
      details: details.map(Wire.Details.init), milliseconds: wait.wholeMilliseconds, inFolder: true,
      group: group, mark: mark, patient: true, attended: true, onceOnly: isOnceOnly ? true : nil,
      folderUnknown: isFolderUnknown ? true : nil)
  }
}

extension Wire.Value {
  /// The part and its value as people write them. A path is as it was spelled.
  fileprivate var text: String {
    let path = try? scope.spelledPath()
    let spelled = path.map {
      Scope.escaped($0.bytes) + ($0.isFolder && $0.bytes.last != UInt8(ascii: "/") ? "/" : "")
    }
    return "\(part)@\(spelled ?? (try? scope.scope().text) ?? "")"
  }
}
