import Machine
import PermModel

/// Deno asks at a socket that an environment variable names (Deno 2.9.8).
struct DenoConnection: Connection {
  let socket: String
  let file: BlockFile

  private static let variable = "DENO_PERMISSION_BROKER_PATH"

  init(_ places: SettingsPaths) {
    socket = "\(places.sockets)/deno"
    file = BlockFile(
      path: "\(places.configuration)/environment.d/60-permtui-deno.conf",
      block: MarkedBlock(name: "deno", lines: ["\(Self.variable)=\(socket)"]))
  }

  var advice: [String] {
    [
      "It counts from your next login, in programs that systemd starts for you, as desktops such as GNOME do. Logins over "
        + "ssh and on a console do not read this file.",
      "For those, in ~/.profile, or for one shell: export \(Self.variable)=\(socket.shellQuoted)",
      "Deno then starts only while a dashboard or 'permtui serve' runs: otherwise it ends with exit status 87 at once. "
        + "'systemctl --user enable --now permtui.socket' makes sure of that.",
    ]
  }

  func additions() throws(CommandError) -> [SettingsChange] {
    guard socket.hasPrefix("/"), socket.allSatisfy(\.isPlainInSettings) else {
      throw CommandError("the path of the socket, \(socket), cannot be written in an environment file")
    }
    return [try file.addition()]
  }

  func removals(_ record: ConnectionRecord) throws(CommandError) -> [SettingsChange] {
    try file.removal(record).map { [$0] } ?? []
  }

  /// The settings name a socket and no program.
  func named() throws(CommandError) -> [NamedProgram] { [] }

  /// Returns the socket that the settings name; `nil` if Deno is not connected.
  func namedSocket() throws(CommandError) -> String? {
    try file.lines().first { $0.hasPrefix(Self.variable + "=") }.map {
      String($0.dropFirst(Self.variable.count + 1))
    }
  }
}
