import Machine
import PermModel

/// The hook of a repository that asks before each push.
///
/// Git runs a single hook of this kind, so the hook belongs to one repository. A setting for all repositories would put
/// their own hooks out of action.
struct GitConnection: Connection {
  let program: String
  private let here: String?
  /// The paths of git's settings for all repositories.
  private let settings: [String]

  private static let mark = "# Written by 'permtui connect git', which --remove takes back."

  init(_ places: SettingsPaths) {
    (program, here) = (places.program, places.here)
    settings = [
      "\(places.home)/.gitconfig", "\(places.configuration)/git/config", "\(places.root)/etc/gitconfig",
    ]
  }

  var advice: [String] {
    [
      "Each push from this repository then asks for commands:run@git push REMOTE ADDRESS.",
      "'git push --no-verify' does not ask.",
      "The hook counts as the program that asks, so that what is decided holds for this repository.",
    ]
  }

  /// The shell goes on running while permtui asks, so that the hook counts as the program that asks, and not git.
  ///
  /// The value contains the address to which the commits go, because the name of a remote can lead anywhere. An
  /// address is a single word with a colon, so that no form of commands covers it. User names and passwords of web
  /// addresses are left out.
  private var script: [UInt8] {
    Array(
      """
      #!/bin/sh
      \(Self.mark)
      to=$2
      case $to in
        *:*) ;;
        /*) to=file://$to ;;
        *) to=file://$(pwd -P)/$to ;;
      esac
      case $1$to in
        *[!A-Za-z0-9._~:/@%+=,-]*)
          echo "permtui: the address of the remote has a character that cannot be asked about" >&2
          exit 1 ;;
      esac
      case $to in
        http://*|https://*)
          rest=${to#*://}
          case ${rest%%/*} in
            *@*) to=${to%%://*}://${rest#*@} ;;
          esac ;;
      esac
      line="git push $to"
      [ "$1" = "$2" ] || line="git push $1 $to"
      { printf 'to %s\\n' "$to"; cat; } |
      \(program) request "commands:run@$line" --as pre-push --details - --wait 600 >&2 || exit 1

      """.utf8)
  }

  /// Returns the folder of the repository in which the command was started.
  private func repository() throws(CommandError) -> String {
    var folder = here ?? "/"
    while FileStatus("\(folder)/.git") == nil, folder != "/" { folder = folder.folderOfPath }
    let data = folder == "/" ? "/.git" : "\(folder)/.git"
    guard let status = FileStatus(data, followingLinks: false) else {
      throw CommandError("there is no repository here", advice: ["go to its folder first"])
    }
    guard status.kind == .folder else {
      throw CommandError(
        "\(data) leads to another repository", advice: ["run this in the folder of that one"])
    }
    return data
  }

  private func hook() throws(CommandError) -> SettingsFile {
    try SettingsFile("\(repository())/hooks/pre-push", newMode: 0o700)
  }

  /// The line with which the person's own hook asks. With the hyphens, no form of commands covers what it asks for.
  private var ownLine: String {
    "\(program) request \"commands:run@git push -- $1 $2\" --as pre-push </dev/null >&2 || exit 1"
  }

  /// Returns the reason why git might run other hooks than those of the repository; `nil` if there is none.
  func otherHooks() -> CommandError? {
    guard let data = try? repository() else { return nil }
    let project = ["config", "config.worktree"].map { (path: "\(data)/\($0)", isProject: true) }
    for (path, isProject) in project + settings.map({ (path: $0, isProject: false) }) {
      guard let words = Self.otherHooks(in: path, isProject: isProject) else { continue }
      return CommandError(
        "\(path) \(words): git might not run the hooks of this repository",
        advice: ["take that out, or add this line to the pre-push hook that git runs: \(ownLine)"])
    }
    return nil
  }

  /// Returns the reason, after the path, why a file might make git run other hooks; `nil` if it does not. What the
  /// person's own settings include is the person's own.
  private static func otherHooks(in path: String, isProject: Bool) -> String? {
    guard let settings = GitSettings(at: path, isProject: isProject) else {
      return "cannot be read for certain, and might set core.hooksPath"
    }
    if settings.setHooks { return "sets core.hooksPath" }
    return isProject && settings.includeOthers
      ? "includes another file, which might set core.hooksPath" : nil
  }

  private static func isOurs(_ content: [UInt8]?) -> Bool {
    guard let content else { return false }
    return String(decoding: content, as: UTF8.self).split(separator: "\n").contains { $0 == mark }
  }

  func additions() throws(CommandError) -> [SettingsChange] {
    _ = try TrustedExecutable(program)
    if let reason = otherHooks() { throw reason }
    let file = try hook()
    guard file.content == nil || Self.isOurs(file.content) else {
      throw CommandError("\(file.name) is a hook of yours", advice: ["add this line to it: \(ownLine)"])
    }
    return [SettingsChange(file: file, after: script, made: [SettingsChange.wholeFile])]
  }

  func removals(_ record: ConnectionRecord) throws(CommandError) -> [SettingsChange] {
    let file = try hook()
    guard let content = file.content, Self.isOurs(content) else { return [] }
    let lines = { (bytes: [UInt8]) in bytes.split(separator: 0x0a).filter { $0.first != UInt8(ascii: "/") } }
    guard lines(content) == lines(script) else {
      throw CommandError(
        "\(file.name) was changed since it was written", advice: ["take out by hand what you no longer need"])
    }
    return [SettingsChange(file: file, after: nil)]
  }

  func named() throws(CommandError) -> [NamedProgram] {
    guard let file = try? hook(), let content = file.content, Self.isOurs(content) else { return [] }
    return String(decoding: content, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("/") }
      .map { NamedProgram(path: String($0.prefix { $0 != " " }), settings: file.path) }
  }
}
