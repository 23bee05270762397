/// The members of the inputs of the agents' own tools. A later version of an agent can add one that changes what a tool
/// does, for example a second path, so with any other member nothing that was decided counts.
enum ToolMembers {
  /// Whether the input of a tool has a member that is not known, or a known one that changes what the values say.
  static func hasUnknown(_ input: AgentValue, of tool: String, _ agent: HookMessage.Agent) -> Bool {
    guard let known = known[tool], case .object(let members) = input else { return false }
    let isUnknown = members.contains { member in
      let isUsual = member.key == "dangerouslyDisableSandbox" && member.value == .boolean(false)
      let isFolder = agent == .codex && ["workdir", "cwd"].contains(member.key)
      return !known.contains(member.key) && !isUsual && !isFolder
    }
    // A line for another shell can mean something else than it does here.
    return isUnknown || tool == "PowerShell" || hasUnknownEdit(members["edits"])
  }

  private static func hasUnknownEdit(_ edits: AgentValue?) -> Bool {
    guard case .list(let edits)? = edits else { return false }
    return edits.contains { edit in
      guard case .object(let members) = edit else { return true }
      return members.keys.contains { !self.edit.contains($0) }
    }
  }

  private static let edit: Set<String> = ["old_string", "new_string", "replace_all"]

  private static let known: [String: Set<String>] = [
    "Bash": ["command", "description", "timeout", "run_in_background"],
    "Monitor": ["command", "description", "timeout_ms", "persistent"],
    "PowerShell": ["command", "description", "timeout", "run_in_background"],
    "Write": ["file_path", "content"],
    "Edit": edit.union(["file_path"]),
    "MultiEdit": edit.union(["file_path", "edits"]),
    "NotebookEdit": ["notebook_path", "cell_id", "cell_number", "new_source", "cell_type", "edit_mode"],
    "apply_patch": ["command", "patch", "input"],
    "Read": ["file_path", "offset", "limit", "pages"],
    "NotebookRead": ["notebook_path", "cell_id"],
    "LS": ["path", "ignore"],
    "Glob": ["pattern", "path"],
    "Grep": [
      "pattern", "path", "glob", "output_mode", "-A", "-B", "-C", "-n", "-i", "-o", "context", "type",
      "head_limit", "offset", "multiline",
    ],
    "WebFetch": ["url", "prompt"],
  ]
}
