import Machine
import PermModel

/// The hook of a repository that asks before each push.
///
/// Git runs a single hook of this kind, so the hook belongs to one repository. A setting for all repositories would put
/// their own hooks out of action.
struct GitConnection: Connection {
  let program: String
  private let here: String?

  private static let mark = "# Written by 'permtui connect git', which --remove takes back."

  init(_ places: ConnectionPlaces) { (program, here) = (places.program, places.here) }

  var advice: [String] {
    [
      "Each push from this repository then asks for commands:run@git push REMOTE. 'git push --no-verify' does not ask.",
      "The hook counts as the program that asks, so that what is decided holds for this repository.",
    ]
  }

  /// The shell goes on running while permtui asks, so that the hook counts as the program that asks, and not git.
  private var script: [UInt8] {
    Array(
      """
      #!/bin/sh
      \(Self.mark)
      case $1 in
        ''|*[!A-Za-z0-9._-]*) remote=ADDRESS ;;
        *) remote=$1 ;;
      esac
      \(program) request "commands:run@git push $remote" --as pre-push --details - --wait 600 >&2 || exit 1

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

  private static func isOurs(_ content: [UInt8]?) -> Bool {
    guard let content else { return false }
    return String(decoding: content, as: UTF8.self).split(separator: "\n").contains { $0 == mark }
  }

  func additions() throws(CommandError) -> [SettingsChange] {
    _ = try SafeProgram(program)
    let file = try hook()
    guard file.content == nil || Self.isOurs(file.content) else {
      let line = "\(program) request 'commands:run@git push' --as pre-push </dev/null >&2 || exit 1"
      throw CommandError("\(file.name) is a hook of yours", advice: ["add this line to it: \(line)"])
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
