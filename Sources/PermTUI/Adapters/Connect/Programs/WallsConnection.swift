import Machine
import PermModel

/// A command that starts an agent behind walls. It has a name of its own, because the agent's name belongs to its installer,
/// and the person goes on to choose.
struct WallsConnection: Connection {
  private let agent: ConnectableProgram
  private let program: String
  private let path: String
  private let isFound: Bool

  init(_ agent: ConnectableProgram, _ places: SettingsPaths) {
    (self.agent, program) = (agent, places.program)
    let folder = "\(places.home)/.local/bin"
    path = "\(folder)/\(Self.name(of: agent))"
    // The first of the folders is always this one; the others are those of PATH.
    isFound = places.commands.dropFirst().contains(folder)
  }

  static func name(of agent: ConnectableProgram) -> String { "\(agent.rawValue)-walls" }

  static func words(of agent: ConnectableProgram) -> ConnectionWords {
    let name = name(of: agent)
    return ConnectionWords(
      already: "\(name) is already there", removes: "removes it", missing: "\(name) is not there",
      done: "\(name) starts \(agent.rawValue) behind walls now", undone: "\(name) is gone")
  }

  var advice: [String] {
    let variables =
      "Of your environment it gets a short list: a key in a variable takes 'permtui run --env NAME -- \(agent.rawValue)'."
    return isFound ? [variables] : ["~/.local/bin is not in your PATH, so call it by its path.", variables]
  }

  // MARK: The file

  private var mark: String {
    "# Written by 'permtui connect \(agent.rawValue) --walls', which --remove takes back."
  }
  private var end: String { " run -- \(agent.rawValue) \"$@\"" }
  private static let start = "exec "

  private var script: [UInt8] { Array("#!/bin/sh\n\(mark)\n\(Self.start)\(program)\(end)\n".utf8) }

  private func file() throws(CommandError) -> SettingsFile { try SettingsFile(path, newMode: 0o755) }

  /// Returns the program that the file runs; `nil` if the file is not as we write it.
  private func named(in content: [UInt8]) -> String? {
    let lines = String(decoding: content, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 4, lines[0] == "#!/bin/sh", lines[1] == mark, lines[3].isEmpty,
      lines[2].hasPrefix(Self.start), lines[2].hasSuffix(end),
      lines[2].utf8.count >= Self.start.utf8.count + end.utf8.count
    else { return nil }
    return String(lines[2].dropFirst(Self.start.count).dropLast(end.count))
  }

  private func changed(_ file: SettingsFile) -> CommandError {
    CommandError(
      "\(file.name) is a file of yours, or was changed since it was written",
      advice: ["nothing was changed; give it another name, or remove it yourself"])
  }

  // MARK: Changes

  func additions() throws(CommandError) -> [SettingsChange] {
    _ = try TrustedExecutable(program)
    let file = try file()
    if let content = file.content, named(in: content) == nil { throw changed(file) }
    return [SettingsChange(file: file, after: script, made: [SettingsChange.wholeFile])]
  }

  func removals(_ record: ConnectionRecord) throws(CommandError) -> [SettingsChange] {
    let file = try file()
    guard let content = file.content else { return [] }
    guard named(in: content) != nil else { throw changed(file) }
    return [SettingsChange(file: file, after: nil)]
  }

  func named() throws(CommandError) -> [NamedProgram] {
    let file = try file()
    return file.content.flatMap(named(in:)).map { [NamedProgram(path: $0, settings: path)] } ?? []
  }
}
