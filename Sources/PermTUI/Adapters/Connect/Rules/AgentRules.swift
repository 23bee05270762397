import Machine
import PermModel

/// The rules in the settings of an agent or of a project because of which the agent acts without asking here.
///
/// The files are not ours and can be hostile: they are read up to a limit, those of a project are not followed through
/// links, and their text is escaped where it is shown.
struct AgentRules {
  let places: ConnectionPlaces

  private static let mostBytes = 1 << 20
  /// The number of rules that are named one by one.
  private static let mostNamed = 3

  /// Returns a sentence for each rule.
  func sentences(for program: ConnectableProgram) -> [String] {
    switch program {
    case .claude: claude
    case .codex: codex
    case .deno, .ssh, .git, .tmux: []
    }
  }

  /// Returns the text of a file; `nil` if there is none, or if it is too long.
  private func bytes(_ path: String, isProject: Bool) -> [UInt8]? {
    if isProject, FileStatus(path.folderOfPath, followingLinks: false)?.kind != .folder { return nil }
    guard FileStatus(path, followingLinks: !isProject)?.kind == .file,
      let bytes = try? Files.bytes(of: path, limit: Self.mostBytes, followingLinks: !isProject),
      bytes.count < Self.mostBytes
    else { return nil }
    return bytes
  }

  private func shortened(_ path: String) -> String { HomeFolder.shortened(path, home: places.home) }

  // MARK: Claude Code

  private var claude: [String] {
    let own = ["\(places.claude)/settings.json", "\(places.root)/etc/claude-code/managed-settings.json"]
    let project =
      places.here.map { ["\($0)/.claude/settings.json", "\($0)/.claude/settings.local.json"] } ?? []
    return own.flatMap { claude($0, isProject: false) }
      + project.filter { !own.contains($0) }.flatMap { claude($0, isProject: true) }
  }

  private func claude(_ path: String, isProject: Bool) -> [String] {
    guard let bytes = bytes(path, isProject: isProject) else {
      return FileStatus(path, followingLinks: false) == nil
        ? [] : ["\(shortened(path)) cannot be read, so its rules are not known"]
    }
    guard let root = try? JSONDocument(bytes).root else {
      return ["\(shortened(path)) cannot be read as JSON"]
    }
    let rules = [allowed(root), mode(root), hooks(root["hooks"])] + [isOff(root)]
    return rules.compactMap { $0.map { "\(shortened(path)): \($0)" } }
  }

  private func allowed(_ root: JSONNode) -> String? {
    let rules = (root["permissions"]?["allow"]?.elements ?? []).map { $0.text ?? "?" }
    guard !rules.isEmpty else { return nil }
    let named = rules.prefix(Self.mostNamed).map { VisibleText.brief($0) }.joined(separator: ", ")
    let more = rules.count > Self.mostNamed ? " and \(rules.count - Self.mostNamed) more" : ""
    return "allows \(named)\(more) without asking here"
  }

  private static let modes = [
    "bypassPermissions": "everything is allowed without asking here",
    "acceptEdits": "changes to files are allowed without asking here",
    "dontAsk": "everything that no rule allows is refused without asking here",
  ]

  private func mode(_ root: JSONNode) -> String? {
    guard let mode = root["permissions"]?["defaultMode"]?.text, let words = Self.modes[mode] else {
      return nil
    }
    return "the mode is \(mode), so \(words)"
  }

  private func hooks(_ hooks: JSONNode?) -> String? {
    let commands = { (event: String) in
      (hooks?[event]?.elements ?? []).flatMap { $0["hooks"]?.elements ?? [] }
        .filter { $0["command"]?.text.flatMap(AgentHooks.program) == nil }
    }
    if !commands("PreToolUse").isEmpty { return "a PreToolUse hook can answer before anything is asked here" }
    return commands("PermissionRequest").isEmpty ? nil : "another PermissionRequest hook can answer first"
  }

  private func isOff(_ root: JSONNode) -> String? {
    root["disableAllHooks"]?.content == .word("true")
      ? "disableAllHooks is set, so nothing is asked here" : nil
  }

  // MARK: Codex

  private var codex: [String] {
    let own = "\(places.codex)/config.toml"
    let project = places.here.map { "\($0)/.codex/config.toml" }
    return codex(own, isProject: false) + (project.map { $0 == own ? [] : codex($0, isProject: true) } ?? [])
      + trust(own)
  }

  private func codex(_ path: String, isProject: Bool) -> [String] {
    guard let bytes = bytes(path, isProject: isProject) else { return [] }
    let lines = LooseTOML(bytes).lines
    let rules = [
      ("approval_policy", "never", "nothing is asked here"),
      ("sandbox_mode", "danger-full-access", "most is done without asking here"),
    ]
    return rules.flatMap { key, value, words in
      lines.filter { $0.key == key && $0.text == value }.map { line in
        let section = line.section.isEmpty ? "" : " in [\(VisibleText.brief(line.section))]"
        return "\(shortened(path)): \(key) is \"\(value)\"\(section), so \(words)"
      }
    }
  }

  /// Returns a sentence if Codex has our hook but would not run it.
  private func trust(_ path: String) -> [String] {
    let settings = AgentConnection.codex(places).settings
    guard let hooks = bytes(settings, isProject: false).flatMap({ try? JSONDocument($0) }),
      !AgentHooks.places(in: hooks).isEmpty
    else { return [] }
    let lines = bytes(path, isProject: false).map { LooseTOML($0).lines } ?? []
    let isTrusted = lines.contains {
      $0.key == "trusted_hash" && $0.section.hasPrefix("hooks.state.")
        && $0.section.contains(settings + ":permission_request:")
    }
    return isTrusted ? [] : ["Codex does not run the hook until you have reviewed it: type /hooks in Codex"]
  }
}
