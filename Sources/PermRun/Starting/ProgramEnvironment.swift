import ArgumentParser
import PermBroker

/// The environment variables that a program behind the walls gets. They are built, not filtered: a variable that is not
/// listed may hold a secret, or change what the program does.
enum ProgramEnvironment {
  private static let names: Set<String> = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "COLORTERM", "LANG", "LANGUAGE", "TZ", "EDITOR",
    "VISUAL",
    "PAGER", "NO_COLOR",
  ]

  /// Makes sure that variables which the person has named can be passed on.
  static func check(_ names: [String], in variables: [String: String]) throws {
    if let unset = names.first(where: { variables[$0] == nil }) {
      throw ValidationError("The variable \(unset) is not set.")
    }
    guard names.contains("DENO_PERMISSION_BROKER_PATH") else { return }
    throw ValidationError(
      "Behind the walls Deno finds no broker, as the walls ask about what it does: start it with -A, without that variable."
    )
  }

  /// - Parameters:
  ///   - others: The names of further variables, which the person has named.
  ///   - sockets: The folder in which `permtui` inside finds the broker's sockets; `nil` if there is no broker.
  static func built(
    from variables: [String: String], folder: String, adding others: Set<String> = [], sockets: String? = nil
  ) -> [String] {
    var built = variables.filter {
      names.contains($0.key) || $0.key.hasPrefix("LC_") || others.contains($0.key)
    }
    built["PWD"] = folder
    built[BrokerLocation.variable] = sockets
    // Git would copy a dozen sample hooks into each new repository, each of them a protected name.
    built["GIT_TEMPLATE_DIR"] = ""
    return built.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }
}
