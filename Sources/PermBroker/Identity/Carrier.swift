/// The names of programs that run other programs. Such programs are not the ones that ask for permission.
///
/// A name alone proves nothing. Callers treat a program as a launcher only if its file belongs to root.
enum Carrier {
  /// Whether a program with this name is a launcher, which only starts another program. If so, the process that started
  /// the launcher is the one that asks.
  static func isLauncher(_ name: String) -> Bool { launchers.contains(name) || name.hasPrefix("systemd") }

  /// Whether a program with this name runs scripts or commands that cannot be traced to a file.
  static func runsGivenText(_ name: String) -> Bool { textRunners.contains(versionless(name)) }

  /// Returns a name without its version or variant: `python3.11` becomes `python`, and `vim.tiny` becomes `vim`.
  static func versionless(_ name: String) -> String {
    let stem = name.prefix { !"0123456789".contains($0) }
    return String(stem.split(separator: ".").first ?? stem)
  }

  private static let launchers: Set<String> = [
    "env", "nice", "ionice", "timeout", "xargs", "nohup", "setsid", "time", "flock", "stdbuf", "chrt",
    "taskset", "setpriv", "prlimit", "numactl", "chroot", "unshare", "nsenter", "sudo", "doas", "su",
    "runuser", "sg", "bwrap", "firejail", "tini", "dumb-init", "catatonit", "conmon", "runc", "crun",
    "init", "cron", "crond", "anacron", "atd", "sshd", "sshd-session", "login", "tmux", "screen", "script",
    "strace", "ltrace", "watch", "dbus-run-session", "dbus-daemon", "ssh-agent",
  ]

  private static let textRunners: Set<String> = [
    "find", "awk", "gawk", "mawk", "nawk", "sed", "vi", "vim", "nvim", "nvi", "ex", "view", "ed", "emacs",
    "nano", "sqlite", "psql", "mysql", "mariadb", "gdb", "lldb", "less", "more", "man", "git", "tar",
    "rsync", "ssh", "scp", "parallel", "entr", "bun", "R", "julia", "guile", "ghci", "octave",
    "busybox", "toybox",
  ]
}
