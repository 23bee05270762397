/// Programs that run other programs, so that they are not what asks.
///
/// Names alone prove nothing: a launcher counts as one only where its file is root's.
enum Carrier {
  /// Starts what it is told and adds nothing of its own: the program is whatever started it.
  static func isLauncher(_ name: String) -> Bool { launchers.contains(name) || name.hasPrefix("systemd") }

  /// Runs text that it is given in ways that cannot be followed to a file.
  static func runsGivenText(_ name: String) -> Bool { textRunners.contains(versionless(name)) }

  /// `python3.11` is `python`, and `vim.tiny` is `vim`.
  static func versionless(_ name: String) -> String {
    let stem = name.prefix { !"0123456789".contains($0) }
    return String(stem.split(separator: ".").first ?? stem)
  }

  private static let launchers: Set<String> = [
    "env", "nice", "ionice", "timeout", "xargs", "nohup", "setsid", "time", "flock", "stdbuf", "chrt",
    "taskset",
    "setpriv", "prlimit", "numactl", "chroot", "unshare", "nsenter", "sudo", "doas", "su", "runuser", "sg",
    "bwrap", "firejail", "tini", "dumb-init", "catatonit", "conmon", "runc", "crun", "init", "cron", "crond",
    "anacron",
    "atd", "sshd", "sshd-session", "login", "tmux", "screen", "script", "strace", "ltrace", "watch",
    "dbus-run-session",
    "dbus-daemon", "ssh-agent",
  ]

  private static let textRunners: Set<String> = [
    "find", "awk", "gawk", "mawk", "nawk", "sed", "vi", "vim", "nvim", "nvi", "ex", "view", "ed", "emacs",
    "nano",
    "sqlite", "psql", "mysql", "mariadb", "gdb", "lldb", "less", "more", "man", "git", "tar", "rsync", "ssh",
    "scp",
    "parallel", "entr", "deno", "bun", "R", "julia", "guile", "ghci", "octave", "busybox", "toybox",
  ]
}
