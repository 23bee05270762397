import Machine
import PermBroker
import PermModel

/// The environment variables that the program looks at, read once at the start.
enum ProcessEnvironment {
  /// The variable that forbids asking on a program's own terminal by the value `never`.
  static let ownTerminal = "PERMTUI_TTY"

  static let names = [
    "COLORFGBG", "ESCDELAY", "HOME", "NO_COLOR", BrokerPlace.variable, ownTerminal,
    StoreLocation.variable, "TERM",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
  ]

  /// What this process was given.
  static func current() -> [String: String] {
    Environment.variables.filter { names.contains($0.key) }
  }
}
