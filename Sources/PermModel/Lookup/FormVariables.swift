import Machine

/// The environment variables with which a line of a command form would run. Some variables would make the program run
/// other code than its command line says.
///
/// A line of an agent gets the environment of the agent, and not that of its hook. The shell that starts a hook leaves out
/// some variables, for example exported functions. Therefore the environments of all processes from the one that asks up
/// to the agent are looked at.
package struct FormVariables: Sendable {
  /// The environments, from that of the process that asks to that of the program.
  private let environments: [[String: String]]
  private let isAgent: Bool
  /// The home folder according to the list of users.
  private let listedHome: String?

  package init(variables: [String: String], listedHome: String? = Users.homeFolder) {
    self.init(environments: [variables], isAgent: false, listedHome: listedHome)
  }

  /// - Parameter environments: The environments, from that of the process that asks to that of the program.
  package init(environments: [[String: String]], isAgent: Bool, listedHome: String? = Users.homeFolder) {
    (self.environments, self.isAgent, self.listedHome) = (environments, isAgent, listedHome)
  }

  /// The environment of the process that asks.
  var variables: [String: String] { environments.first ?? [:] }
  /// The home folder, whose settings programs read.
  var home: String? { listedHome }

  /// Whether no variable is set that makes the shell, the loader or the program of the form run other code, or read
  /// other settings.
  package func areHarmless(for form: CommandForm) -> Bool { obstacle(to: form) == nil }

  /// Returns the reason why a form does not hold, in words; `nil` if there is none.
  package func obstacle(to form: CommandForm) -> String? {
    if hidesShell { return "the shell that starts the hook cannot be seen; run permtui connect again" }
    if let name = environments.lazy.compactMap({ harmful($0, to: form) }).first {
      return "the variable \(VisibleText.brief(name)) can change what it does"
    }
    return added.map { "the variable \(VisibleText.brief($0)) is not as it was when the agent began" }
  }

  /// The names of this machine whose connections a variable leads to a proxy.
  var proxied: Set<String> { Set(environments.flatMap(Self.proxied(in:))) }

  private static func proxied(in variables: [String: String]) -> Set<String> {
    let names = ["http_proxy", "https_proxy", "all_proxy"].flatMap { [$0, $0.uppercased()] }
    guard names.contains(where: { variables[$0]?.isEmpty == false }) else { return [] }
    let exceptions = (variables["no_proxy"] ?? variables["NO_PROXY"] ?? "").lowercased()
      .split { $0 == "," || $0.isWhitespace }.map { $0.drop { $0 == "." } }
    if exceptions == ["*"] { return [] }
    return ProgramTable.here.filter { name in !exceptions.contains { $0 == name || "[\($0)]" == name } }
  }

  /// Whether the shell that started the hook has replaced itself by it, so that its environment can no longer be read.
  private var hidesShell: Bool { isAgent && environments.count == 2 }

  /// A variable that a process below the agent has otherwise than the agent had it at its start; `nil` if there is none.
  private var added: String? {
    guard isAgent, let agent = environments.last else { return nil }
    return environments.dropLast().lazy.compactMap { variables in
      variables.first { name, value in
        agent[name] != value && !Names.ofAgents.contains { $0.matches(name) }
      }?.key
    }.first
  }

  /// Returns a variable that is not harmless; `nil` if there is none.
  private func harmful(_ variables: [String: String], to form: CommandForm) -> String? {
    let refused = Names.forAll + (Names.ofProgram[String(form.program)] ?? [])
    let isConfigurable = Self.configurable.contains(form.program)
    return variables.keys.sorted().first { name in
      switch name {
      case "HOME": !isUsual(variables[name], "")
      case "XDG_CONFIG_HOME": isConfigurable && !isUsual(variables[name], "/.config")
      default: !Self.harmless.contains(name) && refused.contains { $0.matches(name) }
      }
    }
  }

  /// Whether a value names the folder that is used without the variable.
  private func isUsual(_ value: String?, _ place: String) -> Bool {
    guard let value, let folder = try? AbsolutePath(value), let listedHome else { return false }
    return folder == (try? AbsolutePath(listedHome + place))
  }

  /// The programs that read settings from the folder that `XDG_CONFIG_HOME` names.
  private static let configurable: Set<Substring> = ["git", "swift"]
  private static let harmless: Set<String> = ["GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "GIT_EDITOR"]
}

/// The name of a variable, or the beginning of the names of several variables.
private enum Names {
  case only(String)
  case all(String)
  case beginning(String)

  func matches(_ name: String) -> Bool {
    switch self {
    case .only(let only): name == only
    case .beginning(let start): name.hasPrefix(start)
    // npm ignores the difference between upper and lower case.
    case .all(let start): name.uppercased().hasPrefix(start)
    }
  }

  /// The variables with which the dynamic loader or a shell runs other code.
  static let forAll: [Names] = [
    .all("LD_"), .only("GCONV_PATH"), .only("ENV"), .only("BASH_ENV"), .all("BASH_FUNC_"), .only("ZDOTDIR"),
    .only("SHELLOPTS"), .only("BASHOPTS"), .only("PS4"), .only("CDPATH"), .only("CLAUDE_ENV_FILE"),
  ]

  /// The variables that shells, and agents for all that they start, set by themselves.
  static let ofAgents: [Names] = [
    .only("PWD"), .only("OLDPWD"), .only("SHLVL"), .only("_"), .beginning("CLAUDE"), .beginning("CODEX_"),
    .beginning("OTEL_"),
    .only("AI_AGENT"), .only("GIT_EDITOR"), .only("COREPACK_ENABLE_AUTO_PIN"),
    .only("NoDefaultCurrentDirectoryInExePath"), .only("ENABLE_IDE_INTEGRATION"),
  ]

  private static let compilers: [Names] = [.only("CC"), .only("CXX")]

  static let ofProgram: [String: [Names]] = [
    "git": [.all("GIT_"), .all("PAGER"), .all("LESS"), .all("SSH_ASKPASS")],
    "go": [.all("GO"), .all("CGO_")] + compilers,
    "pytest": [.all("PYTEST"), .all("PYTHON"), .only("PY_COLORS")],
    "rg": [.all("RIPGREP_")], "file": [.only("MAGIC")], "sort": [.only("TMPDIR")],
    "make": [.only("MAKEFLAGS"), .only("MAKEFILES"), .only("GNUMAKEFLAGS")] + compilers,
    "npm": [.only("NODE_OPTIONS"), .only("NODE_PATH"), .all("NPM_CONFIG_")],
    "cargo": [.all("CARGO_"), .all("RUST")] + compilers,
    "swift": [.all("SWIFT"), .only("TOOLCHAINS"), .only("SDKROOT")] + compilers,
  ]
}
