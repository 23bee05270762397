import Glibc
import PermBroker
import PermModel

/// The environment variables that the program looks at, read once at the start.
enum ProcessEnvironment {
  static let names = [
    "COLORFGBG", "ESCDELAY", "HOME", "NO_COLOR", BrokerPlace.variable, OwnTerminal.variable,
    StoreLocation.variable, "TERM",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
  ]

  /// What this process was given.
  static func current() -> [String: String] {
    names.reduce(into: [:]) { values, name in
      values[name] = getenv(name).map { String(cString: $0) }
    }
  }
}
