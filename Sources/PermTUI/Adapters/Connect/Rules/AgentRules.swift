import Machine
import PermBroker
import PermModel

/// The rules that let an agent act without asking here, from its own settings or a project's.
///
/// The files are not ours and can be hostile: they are read up to a limit, those of a project are not followed through
/// links, and their text is escaped where it is shown.
struct AgentRules {
  let places: ConnectionPlaces
  /// The folders of projects, beginning with the one in which the command was started.
  let projects: [String]

  private static let mostBytes = 1 << 20
  private static let mostProjects = 100
  private static let mostFiles = 100
  /// The number of rules that are named one by one.
  private static let mostNamed = 3

  /// - Parameter folders: The folders of projects besides the one in which the command was started.
  init(_ places: ConnectionPlaces, folders: [String] = []) {
    self.places = places
    let others = folders.filter { $0 != places.here }
    projects = Array(([places.here].compactMap(\.self) + others).prefix(Self.mostProjects))
  }

  /// Returns a sentence for each rule.
  func sentences(for program: ConnectableProgram) -> [String] {
    switch program {
    case .claude: claude
    case .codex: codex
    case .deno, .ssh, .git, .tmux: []
    }
  }

  /// Returns the text of a file; `nil` if there is none, or if it is too long.
  func bytes(_ path: String, isProject: Bool) -> [UInt8]? {
    if isProject, FileStatus(path.folderOfPath, followingLinks: false)?.kind != .folder { return nil }
    guard FileStatus(path, followingLinks: !isProject)?.kind == .file,
      let bytes = try? Files.bytes(of: path, limit: Self.mostBytes, followingLinks: !isProject),
      bytes.count < Self.mostBytes
    else { return nil }
    return bytes
  }

  func shortened(_ path: String) -> String { HomeFolder.shortened(path, home: places.home) }

  // MARK: Claude Code

  private var claude: [String] {
    let own = ["\(places.claude)/settings.json"] + managed
    let project = projects.flatMap { ["\($0)/.claude/settings.json", "\($0)/.claude/settings.local.json"] }
    return own.flatMap { claude($0, isProject: false) }
      + project.filter { !own.contains($0) }.flatMap { claude($0, isProject: true) }
  }

  /// The settings of the machine's administrator: a file, and those that are merged into it (Claude Code 2.1.330).
  private var managed: [String] {
    let folder = "\(places.root)/etc/claude-code"
    let names = Folder.names(in: "\(folder)/managed-settings.d").filter {
      $0.hasSuffix(".json") && !$0.hasPrefix(".")
    }
    return ["\(folder)/managed-settings.json"]
      + names.sorted().prefix(Self.mostFiles).map { "\(folder)/managed-settings.d/\($0)" }
  }

  private func claude(_ path: String, isProject: Bool) -> [String] {
    guard let bytes = bytes(path, isProject: isProject) else {
      return FileStatus(path, followingLinks: false) == nil
        ? [] : ["\(shortened(path)) cannot be read, so its rules are not known"]
    }
    guard let root = try? JSONDocument(bytes).root else {
      return ["\(shortened(path)) cannot be read as JSON"]
    }
    let rules = [allowed(root), mode(root)] + hooks(root["hooks"], isProject: isProject) + [isOff(root)]
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

  /// Returns the sentences about hooks that can answer first. A project's hooks are never ours, whatever their names.
  private func hooks(_ hooks: JSONNode?, isProject: Bool) -> [String?] {
    let hasOthers = { (event: String) in
      (hooks?[event]?.elements ?? []).flatMap { $0["hooks"]?.elements ?? [] }
        .contains { isProject || !isOurs($0) }
    }
    return [
      hasOthers("PreToolUse") ? "a PreToolUse hook can answer before anything is asked here" : nil,
      hasOthers("PermissionRequest") ? "another PermissionRequest hook can answer first" : nil,
    ]
  }

  /// Whether a hook runs this `permtui`, by a whole path that nobody else can change.
  private func isOurs(_ hook: JSONNode) -> Bool {
    guard let path = hook["command"]?.text.flatMap(AgentHooks.program), path.hasPrefix("/"),
      let program = Paths.resolved(path), program == Paths.resolved(places.program)
    else { return false }
    return SafeProgram.objection(to: program) == nil
  }

  private func isOff(_ root: JSONNode) -> String? {
    root["disableAllHooks"]?.content == .word("true")
      ? "disableAllHooks is set, so nothing is asked here" : nil
  }
}
