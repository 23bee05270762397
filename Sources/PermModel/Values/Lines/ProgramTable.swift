/// The facts known about programs by their names: which of them start others, run what they are given, or reach beyond the
/// asking program. It is used for the lines of agents, for what Deno starts, and for forms alike.
///
/// The table serves denials and questions. That a name is not in it never allows anything.
package enum ProgramTable {
  /// How a program starts the command that its words name.
  struct Starter: Sendable {
    /// How many words, besides options, stand before the command, as the duration does for `timeout`.
    var operands = 0
    /// The words after which a command stands; empty if the program always starts one.
    var after: Set<String> = []
    /// The first words with which the program starts nothing.
    var except: Set<String> = []
    /// Whether every word can begin the command, because options can take several words.
    var isAnywhere = false
    /// Whether the command is complete only with words that the program adds to it.
    var addsWords = false
    /// The word to which a text in a word such as `name=text` is added before it is run; `nil` if no text is run.
    var definitionsOf: String?
  }

  /// Returns the name of a program without its folder.
  static func name(_ word: String) -> String {
    String(decoding: word.utf8.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
  }

  static func starter(_ name: String) -> Starter? { starters[name] ?? (isLoader(name) ? Starter() : nil) }

  /// Whether a program runs a text in a language of its own, in which any command can be named.
  static func isInterpreter(_ name: String) -> Bool {
    interpreters.contains(stem(name))
  }

  /// Returns the name of a program without its version: `python` for `python3.12`.
  static func stem(_ name: String) -> String {
    String(Substring(name.utf8.prefix { !versionSigns.contains($0) }))
  }

  private static let versionSigns = ByteSet("0123456789.")

  /// Whether a program runs the command that it is given. Git does so only if its options say so.
  static func startsOthers(_ name: String) -> Bool {
    name != "git" && (starter(name) != nil || isInterpreter(name))
  }

  /// Whether a name belongs to the loader, which runs the program that it is given.
  private static func isLoader(_ name: String) -> Bool {
    name.hasPrefix("ld-linux") || name.hasPrefix("ld.so")
  }

  /// Whether a shell runs the texts that it is given, or reads on its input.
  static func isShell(_ name: String) -> Bool { shells.contains(name) }

  /// Whether a program can answer for the person, press keys in another terminal, start something elsewhere or later, or
  /// reach beyond the machine.
  ///
  /// - Parameter words: The words after the program.
  static func reachesOut(_ name: String, _ words: some Collection<String>) -> Bool {
    if alwaysReaches(name) { return true }
    return reachingWith[name]?.contains { option in words.contains { $0.hasPrefix(option) } } == true
  }

  /// Whether a program does so whatever its arguments are.
  static func alwaysReaches(_ name: String) -> Bool {
    isOurs(name) || reaching.contains(name) || name.hasSuffix(".exe")
  }

  static func isOurs(_ name: String) -> Bool { name.hasPrefix("permtui") }

  /// Whether a word is the path of a socket at which requests are answered.
  static func isOurSocket(_ word: PossibleScanner.Word) -> Bool {
    sockets.contains { word.bytes.suffix($0.count).elementsEqual($0) }
  }

  private static let sockets = ["ask", "control", "deno"].map { Array("permtui/\($0)".utf8) }

  /// Whether a command only shows what such a program knows.
  static func onlyLooks(_ name: String, _ words: some Collection<String>) -> Bool {
    guard let looks = looking[name] else { return false }
    let given = Array(words.prefix(2))
    return looks.contains { $0 == given.first || $0 == given.joined(separator: " ") }
  }

  /// Whether a command changes what the commands after it mean.
  static func changesOthers(_ command: CertainLine.Command) -> Bool {
    guard let first = command.words.first?.value else { return true }
    // A pattern could stand for any command.
    return shellWords.contains(first) || first.utf8.contains(where: Array("=*?[".utf8).contains)
  }
}

// MARK: - Programs that start others

extension ProgramTable {
  private static let shells: Set<String> = [
    "sh", "bash", "rbash", "dash", "ash", "zsh", "ksh", "ksh93", "lksh", "mksh", "posh", "yash", "fish",
    "csh",
    "tcsh", "pwsh", "busybox", "toybox", "eval", "source", ".",
  ]

  private static let starters: [String: Starter] = {
    var rows: [String: Starter] = [:]
    func add(_ names: String, _ row: Starter = Starter()) {
      for name in names.split(separator: " ") { rows[String(name)] = row }
    }
    add(shells.joined(separator: " "))
    add(
      "env sudo doas pkexec exec nohup time setsid nice ionice stdbuf builtin coproc noglob nocorrect - trap")
    add("command", Starter(except: ["-v", "-V"]))
    add("fakeroot proot rlwrap unbuffer strace ltrace dbus-run-session dbus-launch xvfb-run capsh setarch")
    add(
      "systemd-inhibit sshpass watch script watchexec entr parallel hyperfine torsocks proxychains gosu tini")
    add(
      "runuser su sg setpriv prlimit numactl start-stop-daemon logsave softlimit chpst",
      Starter(isAnywhere: true))
    add("bwrap firejail unshare nsenter systemd-run run0 machinectl flatpak snap", Starter(isAnywhere: true))
    add("docker podman nerdctl kubectl oc lxc incus vagrant tmux screen", Starter(isAnywhere: true))
    add("timeout flock chroot taskset chrt ssh repeat flatpak-spawn dtach abduco", Starter(operands: 1))
    add("xargs", Starter(addsWords: true))
    add("find", Starter(after: ["-exec", "-execdir", "-ok", "-okdir"], addsWords: true))
    add("fd fdfind", Starter(after: ["-x", "-X", "--exec", "--exec-batch"], addsWords: true))
    add("alias export declare typeset readonly local", Starter(definitionsOf: ""))
    add(
      "git",
      Starter(
        after: [
          "-c", "--config-env", "--exec-path", "foreach", "run", "-x", "--exec", "filter-branch", "-u",
          "--upload-pack", "--receive-pack", "--extcmd", "--tree-filter", "--index-filter", "--msg-filter",
        ], isAnywhere: true, definitionsOf: "git"))
    add("npx bunx uvx pipx pnpx fnox corepack")
    add("npm", Starter(after: ["exec", "x", "-c", "--call"]))
    add(
      "pnpm yarn bun uv poetry pdm hatch rye mise asdf devbox direnv nix nix-shell", Starter(isAnywhere: true)
    )
    add("tar rsync zip split man", Starter(after: ["--"], definitionsOf: ""))
    add("run-parts start openvt setlock")
    add("valgrind heaptrack cpulimit eatmydata nocache trickle catchsegv cgexec authbind chronic ifne")
    add(
      "linux32 linux64 i386 x86_64 uname26 fakechroot schroot systemd-cat systemd-nspawn su-exec pee sem autoexpect"
    )
    add(
      "cmake op aws-vault dotenv cross-env foreman honcho tox nox conda mamba micromamba pixi guix bundle rbenv pyenv",
      Starter(isAnywhere: true))
    add(
      "perf rr nvm volta fnm lerna nx apptainer singularity toolbox distrobox docker-compose",
      Starter(isAnywhere: true))
    add("faketime envdir setuidgid s6-setuidgid envuidgid", Starter(operands: 1))
    return rows
  }()

  private static let interpreters: Set<String> = [
    "python", "pypy", "perl", "ruby", "node", "nodejs", "deno", "bun", "php", "lua", "luajit", "tclsh",
    "wish",
    "expect", "awk", "gawk", "mawk", "nawk", "sed", "ed", "ex", "vi", "vim", "nvim", "view", "emacs", "gdb",
    "lldb",
    "make", "gmake", "just", "task", "npm", "R", "Rscript", "julia", "guile", "ghci", "octave", "sqlite",
    "psql",
    "mysql", "mariadb", "m", "dc", "zip", "tar", "rsync", "split", "xterm",
  ]
}

// MARK: - Programs between the one that asks and `permtui`

extension ProgramTable {
  /// Whether a program with this name is a launcher, which only starts another program. If so, the process that started
  /// the launcher is the one that asks.
  ///
  /// A name alone proves nothing. Callers treat a program as a launcher only if its file belongs to root.
  package static func isLauncher(_ name: String) -> Bool {
    launchers.contains(name) || name.hasPrefix("systemd")
  }

  /// Whether a program with this name runs scripts or commands that cannot be traced to a file, so that it is not known
  /// which program asks.
  package static func runsGivenText(_ name: String) -> Bool {
    // A program with a launcher's name that is not root's is a program like any other.
    guard !isLauncher(name) else { return false }
    // `vim.tiny` is `vim`.
    let stem = String(name.prefix { $0 != "." })
    return startsOthers(name) || startsOthers(stem) || textRunners.contains(stem)
  }

  /// Whether a process with this name adopts the children of processes that have ended.
  package static func adopts(_ name: String) -> Bool { adopting.contains(name) }

  /// Whether a person's session begins with a process of this name, if it is root's. The kernel cuts names after 15 bytes.
  package static func beginsSession(_ name: String) -> Bool {
    sessions.contains { $0.utf8.prefix(15).elementsEqual(name.utf8) }
  }

  private static let adopting: Set<String> = [
    "init", "systemd", "tini", "dumb-init", "catatonit", "docker-init", "conmon", "containerd-shim",
    "runsvdir",
    "s6-svscan", "dinit", "supervisord",
  ]

  private static let sessions: Set<String> = [
    "sshd", "sshd-session", "login", "dropbear", "mosh-server", "gdm-session-worker", "sddm-helper",
    "lightdm",
    "greetd", "xdm",
  ]

  private static let launchers = Set(
    """
    env nice ionice timeout xargs nohup setsid time flock stdbuf chrt taskset setpriv prlimit numactl chroot unshare
    nsenter sudo doas su runuser sg bwrap firejail tini dumb-init catatonit conmon runc crun init cron crond anacron atd
    sshd sshd-session login tmux screen script strace ltrace watch dbus-run-session dbus-daemon ssh-agent
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  /// Programs that run text, but not a command that they are given.
  private static let textRunners: Set<String> = ["git", "less", "more", "nano", "nvi", "scp"]
}

// MARK: - Programs that reach beyond the asking program

extension ProgramTable {
  private static let reaching = Set(
    """
    tmux screen zellij kitty wezterm byobu dtach abduco footclient alacritty konsole gnome-terminal xterm
    crontab at batch systemctl systemd-run run0 machinectl loginctl supervisorctl pm2 gdbus busctl dbus-send
    varlinkctl qdbus dconf gsettings gtk-launch gio xdg-open open emacsclient code cursor swaymsg i3-msg hyprctl niri
    bspc xdotool ydotool dotool wtype flatpak flatpak-spawn docker podman nerdctl ctr kubectl oc lxc incus virsh
    vagrant ssh mosh socat nc ncat su pkexec chsh reptyr disown nohup setsid
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  /// Options with which other programs do so, too.
  private static let reachingWith: [String: [String]] = [
    "curl": ["--unix-socket", "--abstract-unix-socket"], "gdb": ["-p", "--pid", "-pid"], "strace": ["-p"],
    "ltrace": ["-p"], "sudo": ["-A", "--askpass"], "vim": ["--remote", "--servername"],
    "nvim": ["--server", "--remote", "--listen"],
  ]

  /// The commands that only show something, by program.
  private static let looking: [String: [String]] = [
    "docker": ["ps", "images", "logs", "compose ps", "compose logs"], "podman": ["ps", "images", "logs"],
    "systemctl": ["status", "is-active", "list-units"], "tmux": ["ls"],
  ]
}

// MARK: - Words of the shell

extension ProgramTable {
  /// Words behind which a command can begin.
  static let keywords: Set<String> = [
    "if", "then", "elif", "else", "while", "until", "do", "!", "{", "}", "time", "foreach", "fi", "done",
    "esac",
  ]

  /// Commands that change what later ones mean.
  private static let shellWords = Set(
    """
    cd chdir pushd popd dirs exec eval source . export alias unalias function set setopt unsetopt emulate shopt trap
    unset declare typeset local readonly integer float enable disable hash unhash rehash umask ulimit limit unlimit
    builtin command noglob nocorrect - if then elif else fi for foreach while until repeat do done case esac select in
    time coproc [[ return exit logout break continue shift wait read readarray mapfile vared getopts let printf print
    setenv unsetenv autoload unfunction functions zmodload bind bindkey complete compgen history fc sched newgrp
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}

// MARK: - Options

extension ProgramTable {
  /// Whether the word behind an option is its value.
  static func takesValue(_ program: String, _ option: String) -> Bool {
    valueOptions[program]?.contains(option) == true
  }

  private static let valueOptions: [String: Set<String>] = [
    "git": ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix"],
    "npm": ["--prefix", "-C", "-w", "--workspace"],
    "kubectl": ["-n", "--namespace", "--context", "--kubeconfig"],
    "docker": ["-H", "--host", "-c", "--context", "--config"],
    "cargo": ["--config", "-Z", "-C", "--manifest-path"],
  ]
}
