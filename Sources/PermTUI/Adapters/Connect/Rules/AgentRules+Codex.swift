import Machine
import PermModel

extension AgentRules {
  /// A setting that lets Codex act without asking.
  private struct CodexSetting {
    var key: String
    /// The value with which it does, and what that means.
    var value: String
    var words: String
    /// The other values that Codex knows.
    var others: [String]
  }

  private static let settings = [
    CodexSetting(
      key: "approval_policy", value: "never", words: "nothing is asked here",
      others: ["untrusted", "on-failure", "on-request"]),
    CodexSetting(
      key: "sandbox_mode", value: "danger-full-access", words: "most is done without asking here",
      others: ["read-only", "workspace-write"]),
  ]

  /// The sentences about the settings, rules and hooks of Codex.
  var codex: [String] {
    let own = "\(places.codex)/config.toml"
    let folders = projects.map { "\($0)/.codex" }.filter { $0 != places.codex }
    return codex(own, isProject: false) + rules(in: places.codex)
      + folders.flatMap { codex("\($0)/config.toml", isProject: true) + rules(in: $0) + hooks(in: $0) }
      + trust(own)
  }

  private func codex(_ path: String, isProject: Bool) -> [String] {
    guard let bytes = bytes(path, isProject: isProject) else {
      return FileStatus(path, followingLinks: false) == nil
        ? [] : ["\(shortened(path)) cannot be read, so its rules are not known"]
    }
    let file = LooseTOML(bytes)
    var words = Self.settings.flatMap { sentences(about: $0, in: file) }
    if file.written.contains(where: \.hasEscapedCharacters) {
      words.append("some names or values are written in escapes, so not all rules are known")
    }
    if isProject, file.written.contains(where: { $0.contains("hooks") }) {
      words.append("the hooks that it sets can answer first")
    }
    return words.map { "\(shortened(path)): \($0)" }
  }

  private func sentences(about setting: CodexSetting, in file: LooseTOML) -> [String] {
    let (key, value) = (setting.key, setting.value)
    let known = file.lines.filter { $0.key == key && $0.text == value }.map { line in
      let section = line.section.isEmpty ? "" : " in [\(VisibleText.brief(line.section))]"
      return "\(key) is \"\(value)\"\(section), so \(setting.words)"
    }
    let isOdd = file.written.contains { line in
      line.contains(key) && !LooseTOML.sets(line, key, toOneOf: setting.others + [value])
    }
    return known + (isOdd ? ["\(key) is set in an unusual way, so Codex may act without asking here"] : [])
  }

  /// The files with rules about commands, and their texts.
  var codexRules: [(path: String, text: String)] {
    let folders = [places.codex] + projects.map { "\($0)/.codex" }.filter { $0 != places.codex }
    return folders.flatMap { folder in
      Folder.names(in: "\(folder)/rules").filter { $0.hasSuffix(".rules") }.sorted().compactMap { name in
        let path = "\(folder)/rules/\(name)"
        return bytes(path, isProject: folder != places.codex).map {
          (path, String(decoding: $0, as: UTF8.self))
        }
      }
    }
  }

  /// Returns a sentence if a folder of settings has rules about commands.
  private func rules(in folder: String) -> [String] {
    let path = "\(folder)/rules"
    guard let status = FileStatus(path, followingLinks: false) else { return [] }
    // The first entry ends the visit.
    let isEmpty = status.kind == .folder && (try? Folder.visit(path) { _, _ in false }) == true
    return isEmpty ? [] : ["\(shortened(path)): its rules may allow commands without asking here"]
  }

  /// Returns a sentence if a project has hooks of its own.
  private func hooks(in folder: String) -> [String] {
    let path = "\(folder)/hooks.json"
    return FileStatus(path, followingLinks: false) == nil
      ? [] : ["\(shortened(path)): the project's hooks can answer before anything is asked here"]
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

extension String {
  /// Whether a line of TOML has characters that are written as numbers.
  fileprivate var hasEscapedCharacters: Bool {
    ["\\u", "\\U", "\\x"].contains { self.contains($0) }
  }
}
