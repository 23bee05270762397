import Machine
import PermModel

/// A key binding of tmux (3.3) that opens the waiting requests in a popup.
struct TmuxConnection: Connection {
  let program: String
  let file: BlockFile

  private static let beginning = "bind P display-popup -E -w 80% -h 80% "

  init(_ places: SettingsPaths) {
    program = places.program
    // tmux reads the file in the home folder, too, if both are there.
    let other = "\(places.configuration)/tmux/tmux.conf"
    let usual = "\(places.home)/.tmux.conf"
    let path = FileStatus(usual) == nil && FileStatus(other) != nil ? other : usual
    file = BlockFile(
      path: path, block: MarkedBlock(name: "tmux", lines: ["\(Self.beginning)\"\(program) answer\""]))
  }

  var advice: [String] {
    taken + [
      "Prefix P then opens the waiting requests in a popup, which closes when none is left.",
      "In a tmux that is already running: tmux source-file \(file.path.shellQuoted)",
    ]
  }

  /// A sentence if another line of the settings uses the key already.
  private var taken: [String] {
    guard let content = (try? SettingsFile(file.path))?.content else { return [] }
    let lines = String(decoding: content, as: UTF8.self).split(separator: "\n")
    guard lines.contains(where: Self.bindsKey) else { return [] }
    return ["The settings bind prefix P already: the last line that binds it counts."]
  }

  /// Whether a line binds prefix P to something else.
  private static func bindsKey(_ line: Substring) -> Bool {
    guard !line.hasPrefix(beginning) else { return false }
    let words = line.split { $0 == " " || $0 == "\t" }
    guard let first = words.first, ["bind", "bind-key"].contains(first) else { return false }
    let key = words.dropFirst().first { !$0.hasPrefix("-") }
    return key.map { ["P", "\"P\"", "'P'"].contains($0) } ?? false
  }

  func additions() throws(CommandError) -> [SettingsChange] {
    _ = try TrustedExecutable(program)
    return [try file.addition()]
  }

  func removals(_ record: ConnectionRecord) throws(CommandError) -> [SettingsChange] {
    try file.removal(record).map { [$0] } ?? []
  }

  func named() throws(CommandError) -> [NamedProgram] {
    try file.lines().filter { $0.hasPrefix(Self.beginning) }.map { line in
      let path = line.dropFirst(Self.beginning.count + 1).prefix { $0 != " " }
      return NamedProgram(path: String(path), settings: file.path)
    }
  }
}
