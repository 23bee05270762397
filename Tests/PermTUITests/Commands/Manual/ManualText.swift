@testable import PermTUI

/// The hand-written text of the manual page, besides the commands and the keys.
enum ManualText {
  /// The day of the last change to the page.
  static let date = "2026-11-26"

  static let description = """
    Programs ask for capabilities: photos, calendar, location, camera, and any that you define. permtui shows every \
    capability with its live status, asks you about one request at a time, and keeps your answers, so that you can \
    look back, revoke and undo.

    Without a command, permtui opens the dashboard.

    A program is named by its label, which is what it calls itself; by the path of its file; or by both, as in \
    backup@/home/ana/bin/backup, if one alone matches several. A capability may have parts, named after a colon: \
    calendar:reminders, or health:share=steps,read=heart. Without parts, allowing and asking mean its usual part; \
    denying, forgetting and looking up mean all of it. "permtui capabilities" lists them.

    Data goes to standard output, messages to standard error. The output of --json is stable: keys are added, never \
    changed or removed.
    """

  static let protection = """
    A program that is started with permtui run is behind walls: it cannot open a file of yours or reach a host without a \
    yes, and a no is a lock. Everything else permtui answers if it asks. It does not stop a program that does not: "denied" is a \
    reply, not a lock.

    It protects you from haste, hidden text, floods and mix-ups, and keeps a record of the answers made through it. It \
    cannot protect you from a hostile program that runs as you: such a program can read files unasked, edit the store, \
    press keys in tmux, or replace permtui. Only walls can, or another sandbox that withholds the files and the control \
    socket.

    An alert's facts about a program are evidence, not proof. A hostile program that runs as you can pretend to be \
    another one: by a connection that it inherits, by arguments that it overwrites, or by BASH_ENV.
    """

  static let keys = """
    In an alert, the keys that answer work once it has been completely visible for half a second and the keyboard was \
    quiet for 0.3 seconds; the button lights up then. A press counts if nothing follows it for a quarter of a second: \
    a key held down, or different keys together, count for nothing. An alert left alone for a minute sleeps, and the \
    first key only wakes it. Deny has the focus at the start. End of input, hang-up and the passing of time allow \
    nothing. In config.toml, slow = 2 to 5 under [prompt] multiplies these times.
    """

  static let plain = """
    With --plain, or if TERM is dumb, facts come as lines and typed words replace keys; no escape sequence is sent. An \
    alert comes up only when the line is empty and no key was pressed for half a second. Text typed before "Answer:" \
    is ignored, and so is a line that another one follows at once. ^C, ^D, a hang-up and the passing of time answer \
    nothing.
    """

  static let lifetimes = [
    ("once", "This request only; nothing is kept. Only an answer can have it."),
    ("process", "Until the program's process ends. Only an answer can have it."),
    ("session", "Until you log out for good, or the machine is restarted."),
    ("10m, 8h, 2d, 1w, 1h30m", "That long, from now on. Setting the clock back does not make it longer."),
    (
      "2026-12-24T18:00",
      "Until then, in local time; with a Z at the end, in UTC. An hour that occurs twice is read as the C library does."
    ),
    ("forever", "Until it is forgotten or decided again."),
  ]

  static func meaning(_ status: ExitStatus) -> String {
    switch status {
    case .done: "Allowed, or done."
    case .denied: "Denied, or nothing matched."
    case .failed: "It did not work; the message says why."
    case .noAnswer:
      "No answer: nobody was there, time ran out, the alert was dismissed, or there were too many requests. Try again."
    case .unavailable: "Not available on this machine. Do not try again."
    case .usage: "The command line was wrong."
    case .noWalls: "The walls of 'permtui run' could not be built, and nothing was started."
    case .interrupted: "Interrupted."
    }
  }

  static let environment = [
    ("PERMTUI_ASKPASS", "The program to which 'permtui askpass' passes on questions for passwords."),
    ("PERMTUI_SOCKETS", "A folder with the sockets of a broker elsewhere, used instead of a store here."),
    ("PERMTUI_STORE", "The file of permissions, unless --store names another."),
    ("PERMTUI_TTY", "If set to never, 'permtui request' does not ask on its program's own terminal."),
    ("XDG_STATE_HOME", "The folder for the file of permissions; ~/.local/state unless set."),
    ("XDG_CONFIG_HOME", "The folder for the configuration; ~/.config unless set."),
    ("XDG_RUNTIME_DIR", "Where sockets are, and the mark of the session that \"session\" means."),
    ("NO_COLOR", "If set to anything, no colours are used."),
    ("COLORTERM", "If set to truecolor or 24bit, more colours are used."),
    ("TERM", "The terminal; with dumb, the dashboard works line by line."),
    ("LC_ALL, LC_CTYPE, LANG", "Without UTF-8, everything is shown in ASCII."),
    ("TZ", "The time zone of times that are typed and shown."),
  ]

  static let files = [
    (
      "$XDG_STATE_HOME/permtui/permissions.sqlite",
      "Decisions, waiting requests, and the journal; only for you (mode 0600)."
    ),
    ("$XDG_STATE_HOME/permtui/backups/", "Copies of it, one a day, the last five."),
    (
      "$XDG_STATE_HOME/permtui/machines, machines.hosts",
      "The ids and the host keys of the machines that you have added."
    ),
    ("$XDG_CONFIG_HOME/permtui/config.toml", "Your own capabilities and settings."),
    ("/etc/permtui/policy.toml", "Everything that the machine's owner forbids, whatever the answers."),
  ]
}
