import Machine
import PermModel

/// The use of a tool, expressed as a capability and its values. The names of the tools are those of Claude
/// Code 2.1.330 and Codex 0.163.0.
struct ToolUse: Hashable, Sendable {
  var capability: String
  var values: [Wire.Value]
  var reason: String?
  /// The lines that show more than the values say.
  var details: [String] = []
  /// Whether no kept decision can allow it, because the values do not say everything that matters.
  var isOnceOnly = false
  /// Whether it is not known in which folder the agent runs a line, or to which one a relative path belongs.
  var isFolderUnknown = false
  /// The folder in which the agent works then, if the input tells it.
  var folder: String?
  /// The tool, if it is asked about as something else.
  var tool: String?

  /// - Throws: ``UnaskedReason`` if the input is not one that the tool takes.
  init(_ tool: String, _ input: AgentValue, of agent: HookMessage.Agent) throws(UnaskedReason) {
    switch tool {
    case "Bash", "Monitor", "PowerShell": self = try .command(input, of: agent)
    case "Write": self = try .write(input)
    case "Edit", "MultiEdit": self = try .edit(input)
    case "NotebookEdit": self = try .editNotebook(input)
    case "apply_patch": self = try .patch(input, of: agent)
    case "Read": self = try .read(input, at: "file_path", besides: ["offset", "limit", "pages"])
    case "NotebookRead": self = try .read(input, at: "notebook_path", besides: ["cell_id"])
    case "LS": self = try .read(input, at: "path", besides: ["ignore"])
    case "Glob": self = try .search(input, filter: "pattern")
    case "Grep": self = try .search(input, filter: "glob")
    case "WebFetch": self = try .fetch(input)
    default: self = try .unknown(tool, input)
    }
    if ToolMembers.hasUnknown(input, of: tool, agent) { isOnceOnly = true }
  }

  private init(_ capability: String, _ values: [Wire.Value], details: [String] = []) {
    (self.capability, self.values, self.details) = (capability, values, details)
  }
}

// MARK: - Commands, hosts and other tools

extension ToolUse {
  /// The beginning of the text with which Codex asks about a connection instead of a command.
  private static let networkAccess = "network-access"

  /// Returns the use of a shell. A description is written by the model, so it never stands for what is asked.
  ///
  /// Codex 0.163 asks about a connection with the line that wants it, so it is not known which of the two is asked
  /// about. It also does not say in which folder it runs a line, so a line that was allowed could run elsewhere.
  private static func command(
    _ input: AgentValue, of agent: HookMessage.Agent
  ) throws(UnaskedReason) -> ToolUse {
    let line = try input.required("command")
    let description = input["description"]?.text
    let isConnection = [line, description ?? ""].contains { $0.utf8.starts(with: networkAccess.utf8) }
    if agent == .codex, isConnection { throw .unclear }
    let isReason = description.map { (try? ForeignText.check(reason: $0)) != nil } ?? false
    let shown = ["command", "timeout"] + (isReason ? ["description"] : [])
    var use = ToolUse(
      "commands", [try .checked("run", .command(line))],
      details: input.memberLines(besides: shown))
    use.reason = isReason && description != "" ? description : nil
    use.folder = agent == .codex ? try input.workingFolder : nil
    use.isFolderUnknown = agent == .codex && use.folder == nil
    return use
  }

  /// Returns the use of a tool that is not known. If it is given a line for a shell, it is not known which shell that is, or
  /// what the other members do to the line.
  private static func unknown(_ tool: String, _ input: AgentValue) throws(UnaskedReason) -> ToolUse {
    guard let line = input.shellLine else { return try .other(tool, input) }
    var use = ToolUse(
      "commands", [try .checked("run", .command(line))], details: ["the agent's tool: \(tool)"] + input.lines)
    (use.isOnceOnly, use.tool) = (true, tool)
    return use
  }

  private static func fetch(_ input: AgentValue) throws(UnaskedReason) -> ToolUse {
    let address: String = try input.required("url")
    // The address comes first and as it is typed, because what is asked for names only its host.
    let others = input.lines.filter { !$0.hasPrefix("\"url\": ") }
    return ToolUse(
      "network", [try .connect(to: address)], details: ["address: \(VisibleText.escaped(address))"] + others)
  }

  private static func other(_ tool: String, _ input: AgentValue) throws(UnaskedReason) -> ToolUse {
    // It is not known what a member of such an input means if it is off, so all of them are shown.
    ToolUse("tools", [try .checked("use", .name(tool))], details: input == .null ? [] : input.lines)
  }
}

// MARK: - Files

extension ToolUse {
  /// Returns the use of a tool that reads a file or a folder.
  ///
  /// - Parameter others: The members that only select a part of it.
  private static func read(
    _ input: AgentValue, at name: String, besides others: [String]
  ) throws(UnaskedReason) -> ToolUse {
    ToolUse(
      "files", [try .path("read", try input.required(name))],
      details: input.memberLines(besides: [name] + others))
  }

  /// The parts of a pattern that can make it find files outside of the folder, also as one of several choices.
  private static let leadingOut = ["..", "{/", ",/", "{~", ",~"]

  /// Returns the use of a tool that searches a folder.
  ///
  /// - Parameter filter: The member that selects files by their paths.
  private static func search(_ input: AgentValue, filter: String) throws(UnaskedReason) -> ToolUse {
    if let filter = input[filter] {
      // Such a pattern finds files outside of the folder.
      guard let filter = filter.text?.utf8, filter.first.map({ !"/~".utf8.contains($0) }) ?? false,
        !Self.leadingOut.contains(where: { filter.firstRange(of: $0.utf8) != nil })
      else { throw .unclear }
    }
    let place = input["path"] == nil ? "." : try input.required("path")
    // A single file can be searched, too. The broker looks again at what is there.
    let isFolder = FileStatus(place)?.kind != .file
    return ToolUse(
      "files", [try .path("read", place, isFolder: isFolder)], details: input.memberLines(besides: ["path"]))
  }

  private static func write(_ input: AgentValue) throws(UnaskedReason) -> ToolUse {
    let content = try input.required("content")
    return ToolUse(
      "files", [try .path("write", try input.required("file_path"))],
      details: input.memberLines(besides: ["file_path", "content"]) + [content].filter { !$0.isEmpty })
  }

  private static func edit(_ input: AgentValue) throws(UnaskedReason) -> ToolUse {
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

  private static func editNotebook(_ input: AgentValue) throws(UnaskedReason) -> ToolUse {
    let deletes = input["edit_mode"]?.text == "delete" && input["new_source"] == nil
    return ToolUse(
      "files", [try .path("write", try input.required("notebook_path"))],
      details: input.memberLines(besides: ["notebook_path", "new_source"])
        + AgentValue.marked("+", deletes ? "" : try input.required("new_source")))
  }

  /// Returns the use of a tool that applies a patch. A relative path in it belongs to the folder that the input tells.
  ///
  /// Codex 0.163 does not tell it. The folder in which the agent works is then the likely one, but the patch can have come
  /// from a line in another one, so nothing that was decided about these files counts.
  private static func patch(_ input: AgentValue, of agent: HookMessage.Agent) throws(UnaskedReason) -> ToolUse
  {
    guard let patch = ["command", "patch", "input"].lazy.compactMap({ input[$0]?.text }).first else {
      throw .unclear
    }
    let paths = PatchFiles.paths(of: patch)
    guard !paths.isEmpty else { throw .unclear }
    let isRelative = paths.contains { $0.utf8.first != UInt8(ascii: "/") }
    guard agent == .codex || !isRelative else { throw .unclear }
    var values: [Wire.Value] = []
    for path in paths { values.append(try .path("write", path)) }
    var use = ToolUse(
      "files", values, details: input.memberLines(besides: ["command", "patch", "input"]) + [patch])
    use.folder = agent == .codex ? try input.workingFolder : nil
    use.isFolderUnknown = isRelative && use.folder == nil
    use.isOnceOnly = use.isFolderUnknown
    return use
  }
}

// MARK: - Input

extension AgentValue {
  /// Returns a text that the tool requires.
  fileprivate func required(_ name: String) throws(UnaskedReason) -> String {
    guard let text = self[name]?.text else { throw .unclear }
    return text
  }

  /// The line that a tool gives to a shell, if a member of its input is one: all such members, joined by line breaks.
  fileprivate var shellLine: String? {
    let lines = ["command", "cmd", "command_line", "commandLine", "script"].compactMap { self[$0]?.line }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// The text, or the line that consists of a list of words.
  private var line: String? {
    guard case .list(let words) = self else { return text }
    let texts = words.compactMap(\.text)
    guard !texts.isEmpty, texts.count == words.count else { return nil }
    return texts.map { ShellLine(word: $0).text }.joined(separator: " ")
  }

  /// The folder in which a tool works, if a member names it.
  fileprivate var workingFolder: String? {
    get throws(UnaskedReason) {
      guard let folder = self["workdir"] ?? self["cwd"] else { return nil }
      guard let path = folder.text, path.hasPrefix("/") else { throw .unclear }
      return path
    }
  }

  /// The members of the agents' own tools that mean nothing if they are off.
  private static let switches = [
    "run_in_background", "dangerouslyDisableSandbox", "replace_all", "multiline", "-i", "-n", "description",
  ]

  /// The lines of an object's members, without those that are shown elsewhere, and without switches that are off.
  fileprivate func memberLines(besides names: [String] = []) -> [String] {
    guard case .object(let members) = self else { return self == .null ? [] : lines }
    let off: [AgentValue] = [.null, .boolean(false), .text("")]
    let shown = members.filter { member in
      let isOff = Self.switches.contains(member.key) && off.contains(member.value)
      return !names.contains(member.key) && !isOff
    }
    return AgentValue.object(shown).lines
  }

  /// The lines that an edit removes and adds.
  fileprivate func changedLines(besides names: [String] = []) throws(UnaskedReason) -> [String] {
    let (old, new) = (try required("old_string"), try required("new_string"))
    return memberLines(besides: names + ["old_string", "new_string"]) + Self.marked("-", old)
      + Self.marked("+", new)
  }

  /// Returns the lines of a text, each prefixed with a sign, so that none can be mistaken for a line of ours.
  fileprivate static func marked(_ sign: String, _ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    let newline = UInt8(ascii: "\n")
    let whole = text.utf8.last == newline ? Substring(text.utf8.dropLast()) : text[...]
    return whole.utf8.split(separator: newline, omittingEmptySubsequences: false).map {
      sign + String(Substring($0))
    }
  }
}
