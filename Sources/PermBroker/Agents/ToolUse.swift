import PermModel

/// The use of a tool, as the capability and the values for which it stands. The names of the tools are those of Claude
/// Code 2.1.330 and Codex 0.163.0.
struct ToolUse: Hashable, Sendable {
  var capability: String
  var values: [Wire.Value]
  var reason: String?
  /// The lines that show more than the values say.
  var details: [String] = []

  /// - Throws: ``HookFault`` if the input is not one that the tool takes.
  init(_ tool: String, _ input: AgentValue) throws(HookFault) {
    switch tool {
    case "Bash": self = try .command(input)
    case "Write": self = try .write(input)
    case "Edit", "MultiEdit": self = try .edit(input)
    case "NotebookEdit": self = try .editNotebook(input)
    case "apply_patch": self = try .patch(input)
    case "Read": self = try .read(input, at: "file_path")
    case "NotebookRead": self = try .read(input, at: "notebook_path")
    case "LS": self = try .read(input, at: "path")
    case "Glob": self = try .search(input, filter: "pattern")
    case "Grep": self = try .search(input, filter: "glob")
    case "WebFetch": self = try .fetch(input)
    default: self = try .other(tool, input)
    }
  }

  private init(_ capability: String, _ values: [Wire.Value], details: [String] = []) {
    (self.capability, self.values, self.details) = (capability, values, details)
  }
}

// MARK: - Commands, hosts and other tools

extension ToolUse {
  /// The beginning of the description with which Codex asks about a connection instead of a command.
  private static let networkAccess = "network-access "

  private static func command(_ input: AgentValue) throws(HookFault) -> ToolUse {
    let description = input["description"]?.text
    // The description of a command is written by the model, so it can never stand for the command.
    if input["command"] == nil, let description, description.hasPrefix(networkAccess) {
      return ToolUse(
        "network",
        [
          try .connect(to: String(description.dropFirst(networkAccess.count)), needsScheme: false)
        ])
    }
    let isReason = description.map { (try? ForeignText.check(reason: $0)) != nil } ?? false
    let shown = ["command", "timeout"] + (isReason ? ["description"] : [])
    var use = ToolUse(
      "commands", [try .checked("run", .command(try input.required("command")))],
      details: input.memberLines(besides: shown))
    use.reason = isReason && description != "" ? description : nil
    return use
  }

  private static func fetch(_ input: AgentValue) throws(HookFault) -> ToolUse {
    ToolUse("network", [try .connect(to: try input.required("url"), needsScheme: true)], details: input.lines)
  }

  private static func other(_ tool: String, _ input: AgentValue) throws(HookFault) -> ToolUse {
    ToolUse("tools", [try .checked("use", .name(tool))], details: input.memberLines())
  }
}

// MARK: - Files

extension ToolUse {
  private static func read(_ input: AgentValue, at name: String) throws(HookFault) -> ToolUse {
    ToolUse("files", [try .path("read", try input.required(name))])
  }

  /// Returns the use of a tool that searches a folder.
  ///
  /// - Parameter filter: The member that selects files by their paths.
  private static func search(_ input: AgentValue, filter: String) throws(HookFault) -> ToolUse {
    if let filter = input[filter] {
      // Such a pattern finds files outside of the folder.
      guard let filter = filter.text?.utf8, filter.first.map({ !"/~".utf8.contains($0) }) ?? false,
        filter.firstRange(of: "..".utf8) == nil
      else { throw .unclear }
    }
    let folder = input["path"] == nil ? "." : try input.required("path")
    return ToolUse(
      "files", [try .path("read", folder, isFolder: true)], details: input.memberLines(besides: ["path"]))
  }

  private static func write(_ input: AgentValue) throws(HookFault) -> ToolUse {
    let content = try input.required("content")
    return ToolUse(
      "files", [try .path("write", try input.required("file_path"))],
      details: input.memberLines(besides: ["file_path", "content"]) + [content].filter { !$0.isEmpty })
  }

  private static func edit(_ input: AgentValue) throws(HookFault) -> ToolUse {
    let path = try Wire.Value.path("write", try input.required("file_path"))
    guard let edits = input["edits"] else {
      return ToolUse("files", [path], details: try input.changedLines(besides: ["file_path"]))
    }
    guard case .list(let edits) = edits, !edits.isEmpty else { throw .unclear }
    var details = input.memberLines(besides: ["file_path", "edits"])
    for (number, edit) in edits.enumerated() {
      details.append("@@ \(number + 1) of \(edits.count) @@")
      details += try edit.changedLines()
    }
    return ToolUse("files", [path], details: details)
  }

  private static func editNotebook(_ input: AgentValue) throws(HookFault) -> ToolUse {
    ToolUse(
      "files", [try .path("write", try input.required("notebook_path"))],
      details: input.memberLines(besides: ["notebook_path", "new_source"])
        + AgentValue.marked("+", try input.required("new_source")))
  }

  private static func patch(_ input: AgentValue) throws(HookFault) -> ToolUse {
    guard let patch = ["command", "patch", "input"].lazy.compactMap({ input[$0]?.text }).first else {
      throw .unclear
    }
    let paths = PatchFiles.paths(of: patch)
    guard !paths.isEmpty else { throw .unclear }
    var values: [Wire.Value] = []
    for path in paths { values.append(try .path("write", path)) }
    return ToolUse("files", values, details: [patch])
  }
}

// MARK: - Input

extension AgentValue {
  /// Returns a text that a tool cannot do without.
  fileprivate func required(_ name: String) throws(HookFault) -> String {
    guard let text = self[name]?.text else { throw .unclear }
    return text
  }

  /// The lines of an object's members, without those that are shown elsewhere, and without those that are off.
  fileprivate func memberLines(besides names: [String] = []) -> [String] {
    guard case .object(let members) = self else { return self == .null ? [] : lines }
    let off: [AgentValue] = [.null, .boolean(false), .text("")]
    return AgentValue.object(members.filter { !names.contains($0.key) && !off.contains($0.value) }).lines
  }

  /// The lines that an edit removes and adds.
  fileprivate func changedLines(besides names: [String] = []) throws(HookFault) -> [String] {
    let (old, new) = (try required("old_string"), try required("new_string"))
    return memberLines(besides: names + ["old_string", "new_string"]) + Self.marked("-", old)
      + Self.marked("+", new)
  }

  /// Returns the lines of a text, each behind a sign, so that no line can be taken for one of ours.
  fileprivate static func marked(_ sign: String, _ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    let newline = UInt8(ascii: "\n")
    let whole = text.utf8.last == newline ? Substring(text.utf8.dropLast()) : text[...]
    return whole.utf8.split(separator: newline, omittingEmptySubsequences: false).map {
      sign + String(Substring($0))
    }
  }
}
