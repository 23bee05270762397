import Machine
import PermModel

/// The agent of OpenSSH (9.2) asks through a helper before it uses a key that was added with `ssh-add -c`.
///
/// The variables are set for the agent only. In a whole session, they would also take the questions for passwords away
/// from the terminals.
struct SSHConnection: Connection {
  let helper: String
  let program: String
  let file: BlockFile

  init(_ places: SettingsPaths) {
    program = places.program
    helper = "\(places.program.folderOfPath)/permtui-askpass"
    file = BlockFile(
      path: "\(places.configuration)/systemd/user/ssh-agent.service.d/60-permtui.conf",
      block: MarkedBlock(
        name: "ssh",
        lines: ["[Service]", "Environment=SSH_ASKPASS=\(helper)", "Environment=SSH_ASKPASS_REQUIRE=force"]))
  }

  var advice: [String] {
    [
      "Then: systemctl --user daemon-reload && systemctl --user restart ssh-agent. This removes all keys from the agent.",
      "Only keys added with 'ssh-add -c', or with 'AddKeysToAgent confirm' in ~/.ssh/config, are asked about.",
      "For an agent that a shell starts: "
        + "eval $(SSH_ASKPASS=\(helper.shellQuoted) SSH_ASKPASS_REQUIRE=force ssh-agent)",
    ]
  }

  func additions() throws(CommandError) -> [SettingsChange] {
    _ = try TrustedExecutable(program)
    guard Paths.resolved(helper) == program || TrustedExecutable.objection(to: helper) == nil else {
      throw CommandError(
        "there is no permtui-askpass beside \(program)", advice: ["'make install' puts it there"])
    }
    return [try file.addition()]
  }

  func removals(_ record: ConnectionRecord) throws(CommandError) -> [SettingsChange] {
    try file.removal(record).map { [$0] } ?? []
  }

  func named() throws(CommandError) -> [NamedProgram] {
    try file.lines().filter { $0.hasPrefix("Environment=SSH_ASKPASS=") }
      .map { NamedProgram(path: String($0.dropFirst("Environment=SSH_ASKPASS=".count)), settings: file.path) }
  }
}
