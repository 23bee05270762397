import Machine
import PermBroker
import PermModel

/// The environment variables that the program reads.
enum ProcessEnvironment {
  /// The variable that forbids asking on a program's own terminal if its value is `never`.
  static let ownTerminal = "PERMTUI_TTY"

  static let names = [
    "COLORFGBG", "ESCDELAY", "HOME", "NO_COLOR", BrokerPlace.variable, ownTerminal,
    StoreLocation.variable, "TERM",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
  ]

  /// Returns the variables that this process was given.
  static func current() -> [String: String] {
    Environment.variables.filter { names.contains($0.key) }
  }
}
