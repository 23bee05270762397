import Machine
import PermModel

/// The table `[notify]` of PermTUI's own settings: a command that tells the person that something waits.
///
/// The command is the first of these that is there: `notify-send` on a desktop, else tmux. The message names how to answer
/// from elsewhere. Only `notify-send`, which stays on the person's own desktop, is told what is asked for.
struct NotifyConnection: Connection {
  /// A way to tell the person, with the path of its program.
  private enum Way {
    case desktop(String)
    case tmux(String)
  }

  let file: BlockFile
  private let way: Way?

  init(_ places: SettingsPaths) {
    func find(_ name: String) -> String? {
      places.commands.lazy.map { "\($0)/\(name)" }.first { (try? TrustedExecutable($0)) != nil }
    }
    way = find("notify-send").map(Way.desktop) ?? find("tmux").map(Way.tmux)
    let command = way.map(Self.command) ?? []
    let words = command.map(\.tomlQuoted).joined(separator: ", ")
    file = BlockFile(
      path: "\(places.configuration)/permtui/config.toml",
      block: MarkedBlock(name: "notify", lines: ["[notify]", "command = [\(words)]"]))
  }

  /// Returns the command. What other programs have written is in variables, which the shell does not read as anything but
  /// text. tmux would run parts of such text, so that it gets none.
  private static func command(of way: Way) -> [String] {
    switch way {
    case .desktop(let program):
      let title = #""PermTUI: $PERMTUI_WAITING waiting""#
      let text = #""$PERMTUI_PROGRAM asks for $PERMTUI_CAPABILITY. Answer from elsewhere: $PERMTUI_ANSWER""#
      return ["/bin/sh", "-c", "exec \(program.shellQuoted) -- \(title) \(text)"]
    case .tmux(let program):
      let text = #""PermTUI: $PERMTUI_WAITING waiting. To answer: permtui answer""#
      let client = #"-c "$client" "#
      let each = "\(program.shellQuoted) list-clients -F '#{client_name}'"
      return [
        "/bin/sh", "-c",
        "\(each) | while read -r client; do \(program.shellQuoted) display-message \(client)\(text); done",
      ]
    }
  }

  var advice: [String] {
    var advice = [
      "You are told when a request has waited for 5 seconds without a key at a dashboard (`after` changes that)."
    ]
    if case .desktop = way {
      advice.append("The message says what is asked for; it stays on this desktop.")
    }
    return advice + ["For another command, such as one that reaches a telephone, see docs/recipes.md."]
  }

  func additions() throws(CommandError) -> [SettingsChange] {
    guard way != nil else {
      throw CommandError(
        "neither notify-send nor tmux is here",
        advice: ["install one, or name a command of your own: [notify] in \(file.path)"])
    }
    let ours = try file.lines()
    let text = (try SettingsFile(file.path).content).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let tables = text.split(separator: "\n").filter { $0.drop { " \t".contains($0) }.hasPrefix("[notify]") }
    guard tables.count == (ours.isEmpty ? 0 : 1) else {
      throw CommandError(
        "\(file.path) has a table [notify] already", advice: ["take it out first, or keep your own command"])
    }
    return [try file.addition()]
  }

  func removals(_ record: ConnectionRecord) throws(CommandError) -> [SettingsChange] {
    try file.removal(record).map { [$0] } ?? []
  }

  /// The settings name no program of ours.
  func named() throws(CommandError) -> [NamedProgram] { [] }
}

extension String {
  /// The text as a basic string of TOML.
  fileprivate var tomlQuoted: String {
    let escaped = map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    return "\"\(escaped)\""
  }
}
