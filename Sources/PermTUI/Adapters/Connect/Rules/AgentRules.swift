import Machine
import PermBroker
import PermModel

/// The rules that let an agent act without asking here, from its own settings or a project's.
///
/// The files are not ours and can be hostile: they are read up to a limit, those of a project are not followed through
/// links, and their text is escaped where it is shown.
struct AgentRules {
  let places: SettingsPaths
  /// The folders of projects, beginning with the one in which the command was started.
  let projects: [String]

  private static let mostBytes = 1 << 20
  private static let mostProjects = 100
  private static let mostFiles = 100
  /// The number of rules that are named one by one.
  private static let mostNamed = 3

  /// - Parameter folders: The folders of projects besides the one in which the command was started.
  init(_ places: SettingsPaths, folders: [String] = []) {
    self.places = places
    let others = folders.filter { $0 != places.here }
    projects = Array(([places.here].compactMap(\.self) + others).prefix(Self.mostProjects))
  }

  /// Returns a sentence for each rule.
  func sentences(for program: ConnectableProgram) -> [String] {
    switch program {
    case .claude: claude + git
    case .codex: codex + git
    case .deno, .ssh, .git, .tmux, .notify, .portal: []
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

  private var claude: [String] { claudeFiles.flatMap { claude($0.path, isProject: $0.isProject) } }

  /// The settings files of Claude Code, the person's and the machine's before those of projects.
  var claudeFiles: [(path: String, isProject: Bool)] {
    let own = ["\(places.claude)/settings.json"] + managed
    let project = projects.flatMap { ["\($0)/.claude/settings.json", "\($0)/.claude/settings.local.json"] }
    return own.map { ($0, false) } + project.filter { !own.contains($0) }.map { ($0, true) }
  }

  /// Returns the rules in a list of a settings file of Claude Code.
  func claudeRules(_ list: String, in path: String, isProject: Bool) -> [String] {
    let root = bytes(path, isProject: isProject).flatMap { try? JSONDocument($0) }?.root
    return (root?["permissions"]?[list]?.elements ?? []).compactMap(\.text)
  }

  // MARK: Git

  /// The sentences about settings of projects' repositories that make git run programs, and about the person's own settings
  /// that name files of a project.
  private var git: [String] {
    let repositories = projects.compactMap { Self.repository(above: $0) }
    let files = Set(repositories).sorted().flatMap { ["\($0)/config", "\($0)/config.worktree"] }
    return files.flatMap { git($0, isProject: true) } + git("\(places.home)/.gitconfig", isProject: false)
  }

  private func git(_ path: String, isProject: Bool) -> [String] {
    guard let settings = GitSettings(at: path, isProject: isProject) else {
      return ["\(shortened(path)) cannot be read for certain, so no command form of git holds"]
    }
    let named = settings.programs.filter { isProject || isInProject($0.value) }
    return named.prefix(Self.mostNamed).map { name, value in
      "\(shortened(path)): git runs or reads what \(name) names: \(VisibleText.brief(value))"
    } + (named.count > Self.mostNamed ? ["\(shortened(path)): and \(named.count - Self.mostNamed) more"] : [])
  }

  /// Whether a value is a relative path, or names a file of a project.
  private func isInProject(_ value: String) -> Bool {
    let path = value.filter { $0 != "\"" }
    let isRelative = path.hasPrefix(".") || (path.contains("/") && !"/~!".contains(path.first ?? "/"))
    return isRelative || projects.contains { path.hasPrefix($0 + "/") }
  }

  /// Returns the folder with the data of the repository that git finds from a folder.
  private static func repository(above folder: String) -> String? {
    var folder = folder
    while FileStatus("\(folder)/.git", followingLinks: false) == nil {
      guard folder != "/", !folder.isEmpty else { return nil }
      folder = folder.folderOfPath
    }
    return "\(folder)/.git"
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
    let rules =
      [allowed(root), mode(root)] + sandbox(root) + hooks(root["hooks"], isProject: isProject) + [isOff(root)]
    return rules.compactMap { $0.map { "\(shortened(path)): \($0)" } }
  }

  private func allowed(_ root: JSONNode) -> String? {
    let rules = (root["permissions"]?["allow"]?.elements ?? []).map { $0.text ?? "?" }
    guard !rules.isEmpty else { return nil }
    let named = rules.prefix(Self.mostNamed).map { VisibleText.brief($0) }.joined(separator: ", ")
    let more = rules.count > Self.mostNamed ? " and \(rules.count - Self.mostNamed) more" : ""
    return "allows \(named)\(more) without asking here"
  }

  /// The modes of Claude Code 2.1.330, with what they mean; `nil` if everything is asked here.
  private static let modes: [String: String?] = [
    "default": nil, "plan": nil,
    "bypassPermissions": "everything is allowed without asking here",
    "acceptEdits": "changes to files are allowed without asking here",
    "auto": "the agent allows most of what it does without asking here",
    "dontAsk": "everything that no rule allows is refused without asking here",
  ]

  private func mode(_ root: JSONNode) -> String? {
    guard let node = root["permissions"]?["defaultMode"] else { return nil }
    let mode = node.text ?? "?"
    guard let words = Self.modes[mode] else {
      return
        "the mode is \(VisibleText.brief(mode)), which is not known here: it may allow things without asking here"
    }
    return words.map { "the mode is \(mode), so \($0)" }
  }

  /// Returns the sentences about a sandbox in which lines run without being asked about, and about further folders.
  private func sandbox(_ root: JSONNode) -> [String?] {
    let box = root["sandbox"]
    let isOn = box?["enabled"]?.content == .word("true")
    let isAllowed = box?["autoAllowBashIfSandboxed"]?.content != .word("false")
    let excluded = (box?["excludedCommands"]?.elements ?? []).map { VisibleText.brief($0.text ?? "?") }
    let folders = (root["permissions"]?["additionalDirectories"]?.elements ?? []).map {
      VisibleText.brief($0.text ?? "?")
    }
    return [
      isOn && isAllowed ? "commands in the agent's sandbox are allowed without asking here" : nil,
      isOn && !excluded.isEmpty
        ? "outside of its sandbox it runs \(excluded.prefix(Self.mostNamed).joined(separator: ", "))" : nil,
      folders.isEmpty
        ? nil : "it also works in \(folders.prefix(Self.mostNamed).joined(separator: ", "))",
    ]
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
    return TrustedExecutable.objection(to: program) == nil
  }

  private func isOff(_ root: JSONNode) -> String? {
    root["disableAllHooks"]?.content == .word("true")
      ? "disableAllHooks is set, so nothing is asked here" : nil
  }
}
