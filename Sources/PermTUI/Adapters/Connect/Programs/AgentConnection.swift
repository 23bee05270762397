import PermBroker
import PermModel

/// A coding agent that asks through hooks in a settings file.
struct AgentConnection: Connection {
  let program: String
  let settings: String
  let hooks: [AgentHooks.Hook]
  let advice: [String]

  static func claude(_ places: SettingsPaths) -> AgentConnection {
    AgentConnection(
      program: places.program, settings: "\(places.claude)/settings.json",
      hooks: [
        .init(event: "PermissionRequest", matcher: "*", timeout: 86_400),
        .init(event: "PostToolUse", matcher: "*"), .init(event: "PostToolUseFailure", matcher: "*"),
        .init(event: "Stop"), .init(event: "UserPromptSubmit"), .init(event: "SessionEnd"),
      ],
      advice: [
        "Sessions that are already running might have to be restarted.",
        "'permtui connect claude --here' shows the usual rules for a project.",
      ])
  }

  /// Codex waits for the hook before it shows its own dialog, so that the hook must end sooner. When the person takes
  /// the question back, Codex ends the hook, and no other event is needed.
  static func codex(_ places: SettingsPaths) -> AgentConnection {
    AgentConnection(
      program: places.program, settings: "\(places.codex)/hooks.json",
      hooks: [.init(event: "PermissionRequest", matcher: "*", timeout: 120)],
      advice: [
        "Codex runs the hook only after you have reviewed it: type /hooks in Codex. Review it again after each change.",
        "Codex shows no dialog of its own while the question is here, for two minutes at most. Esc in Codex takes the "
          + "question back, and ends the turn.",
        "'permtui connect codex --here' shows the usual rules for a project.",
      ])
  }

  func additions() throws(CommandError) -> [SettingsChange] {
    let safe = try TrustedExecutable(program)
    return try change { document, _ throws(TextProblem) in
      try AgentHooks(hooks, program: safe.path).add(to: &document)
    }
  }

  func removals(_ record: ConnectionRecord) throws(CommandError) -> [SettingsChange] {
    let changes = try change { document, file throws(TextProblem) in
      try AgentHooks.remove(from: &document, made: record.made(in: file.path))
      return []
    }
    return changes.map { change in
      var change = change
      let isEmpty =
        change.isNeeded && change.after.flatMap { try? JSONDocument($0) }?.root.children.isEmpty == true
      if isEmpty, record.made(in: change.file.path)?.contains(SettingsChange.wholeFile) == true {
        change.after = nil
      }
      return change
    }
  }

  func named() throws(CommandError) -> [NamedProgram] {
    let file = try SettingsFile(settings)
    guard let content = file.content else { return [] }
    do throws(TextProblem) {
      return AgentHooks.places(in: try JSONDocument(content))
        .map { NamedProgram(path: $0.program, settings: settings) }
    } catch {
      throw file.error(error)
    }
  }

  /// Returns the change that a function makes in the settings. Without settings, it begins with an empty object.
  private func change(
    _ edit: (inout JSONDocument, SettingsFile) throws(TextProblem) -> AgentHooks.Made
  ) throws(CommandError) -> [SettingsChange] {
    let file = try SettingsFile(settings)
    do throws(TextProblem) {
      var document = try JSONDocument(file.content ?? Array("{}\n".utf8))
      var made = try edit(&document, file)
      if file.content == nil {
        guard !made.isEmpty else { return [] }
        made.append(SettingsChange.wholeFile)
      }
      return [SettingsChange(file: file, after: document.bytes, made: made)]
    } catch {
      throw file.error(error)
    }
  }
}
